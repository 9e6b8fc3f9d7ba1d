// What may be done with a favor now, in the bar where the thumb is, and the sheets that some of it begins with.
import { Button } from "@mantine/core";
import { IconCalendarPlus, IconDoorExit, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { type Favor, FavorAction, FavorStatus } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { More } from "../../ui/More";
import { Stick } from "../../ui/Stick";
import { isProposed } from "./laterQueries";
import { Sheets, sheetOf, useSheets } from "./Sheets";
import { actionsOf, alongOf, type BarAction, isDestructive, useSteps, wordsOf } from "./steps";
import { words } from "./words";

const icons: Partial<Record<FavorAction, ReactNode>> = {
  [FavorAction.ANOTHER_TIME]: <IconCalendarPlus size={20} />,
  [FavorAction.DECLINE]: <IconX size={20} />,
  [FavorAction.WITHDRAW]: <IconDoorExit size={20} />,
};

function labelOf(favor: Favor, action: FavorAction): string {
  // An accepted favor has its status marked; before that there is only an asking to be taken back.
  return action === FavorAction.CANCEL && favor.status !== FavorStatus.ACCEPTED
    ? words.cancelFavor
    : wordsOf(favor, action).label;
}

/** Nobody is called upon to do these. */
const QUIET: ReadonlySet<FavorAction> = new Set([FavorAction.WITHDRAW, FavorAction.REPORT_MISSING_TIP]);

/** These stand in the bar although they are not the main one: the other answers to who asks, and what a card promises. */
const PINNED: ReadonlySet<FavorAction> = new Set([FavorAction.ANOTHER_TIME, FavorAction.DECLINE, FavorAction.EDIT]);

/** What stands in the bar, and what is behind its last button, which a single action does not need. */
function split(actions: readonly BarAction[]): { pinned: readonly BarAction[]; others: readonly BarAction[] } {
  const pinned = actions.filter((action, i) => i === 0 || PINNED.has(action));
  const others = actions.filter((action) => !pinned.includes(action));
  return others.length > 1 ? { pinned, others } : { pinned: actions, others: [] };
}

/**
 * One button of a screen is filled: `isLight` where that stands in the screen itself. Nobody is called
 * upon to answer twice.
 */
function variantOf(favor: Favor, action: FavorAction, isMain: boolean, isLight: boolean): string {
  if (!isMain || QUIET.has(action) || isProposed(favor)) return "default";
  return isLight ? "light" : "filled";
}

/** On a phone two stand in a row under the main one. */
function placeOf(index: number, count: number): string | undefined {
  if (index === 0) return "main-act";
  return index === count - 1 && index % 2 === 1 ? "alone" : undefined;
}

type Props = {
  favor: Favor;
  me: string;
  /** Why other actions are not there. */
  note: string;
  isLight: boolean;
  /** Whether the creator has said thanks already. */
  isThanked: boolean;
  /** What is said of words that can go nowhere any more. */
  stranded?: ReactNode;
  /** Before something is done. */
  onAct?: (() => void) | undefined;
  onEdit: () => void;
  onGone: () => void;
};

export function Actions({ favor, me, note, isLight, isThanked, stranded, onAct, onEdit, onGone }: Props) {
  const steps = useSteps(onGone);
  const sheets = useSheets();
  const { pinned, others } = split(actionsOf(favor));
  const count = pinned.length + (others.length > 0 ? 1 : 0);

  async function act(action: FavorAction): Promise<void> {
    if (action === FavorAction.EDIT) return onEdit();
    onAct?.();
    const sheet = sheetOf(action);
    if (sheet !== undefined) return sheets.show(sheet);
    await steps.asked({ favor, action }, wordsOf(favor, action), alongOf(favor, action, me, isThanked));
    return undefined;
  }

  // What is typed in a sheet stays there when the favor changes meanwhile: sending it says so.
  const sheet = <Sheets favor={favor} me={me} steps={steps} sheets={sheets} />;
  if (count === 0)
    return (
      <>
        <Stick above={stranded} />
        {sheet}
      </>
    );
  return (
    <>
      <Stick note={note} above={stranded}>
        {pinned.map((action, i) => (
          <Button
            key={action}
            className={placeOf(i, count)}
            size={i === 0 ? "lg" : "md"}
            variant={variantOf(favor, action, i === 0, isLight)}
            c={isDestructive(action) ? "var(--gt-no-fg)" : undefined}
            leftSection={icons[action]}
            loading={steps.busy?.action === action}
            onClick={() => void act(action)}
          >
            {labelOf(favor, action)}
          </Button>
        ))}
        {others.length > 0 && (
          <More
            className={placeOf(pinned.length, count)}
            size={pinned.length === 1 ? "lg" : "md"}
            deeds={others.map((action) => ({
              label: labelOf(favor, action),
              icon: icons[action],
              isDestructive: isDestructive(action),
              isBusy: steps.busy?.action === action,
              act: () => void act(action),
            }))}
          />
        )}
      </Stick>
      {sheet}
    </>
  );
}
