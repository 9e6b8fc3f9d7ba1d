// The sheets of a favor in full: each asks for what goes along with something that is done with it, and one may lead to another.
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { useRef, useState } from "react";
import { type Favor, FavorAction } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { part } from "../../lib/parts";
import { rememberFocus } from "../../ui/focus";
import { Sheet } from "../../ui/Sheet";
import { CalendarSkeleton } from "../../ui/SheetSkeletons";
import { FieldSkeleton } from "../../ui/FieldSkeleton";
import { RowSkeletons } from "../../ui/Skeletons";
import { words as frameWords } from "../../ui/shellWords";
import { cardWords } from "./cardWords";
import { sheetWords } from "./formWords";
import { offerWords } from "./offerWords";
import { keepStart, type OtherTime, timeKept } from "./otherTime";
import { type Steps, wordsOf } from "./steps";
import { actionWords } from "./words";

const AnotherTime = part(() => import("./AnotherTime").then((m) => m.default));
const AskSheet = part(() => import("./AskSheet").then((m) => m.default));
const CalendarSheet = part(() => import("./CalendarSheet").then((m) => m.default));
const WordsSheet = part(() => import("./WordsSheet").then((m) => m.default));

/** What goes along with a few words. */
const WITH_WORDS = [FavorAction.APPLY, FavorAction.WITHDRAW, FavorAction.REPORT_MISSING_TIP] as const;
type WithWords = (typeof WITH_WORDS)[number];

export type OpenSheet =
  | { kind: "words"; action: WithWords }
  | { kind: "time" }
  | { kind: "calendar" }
  | { kind: "friends" }
  | { kind: "ask"; uid: string; name: string };

/** The sheet that an action begins with, if it does with one. */
export function sheetOf(action: FavorAction): OpenSheet | undefined {
  if (action === FavorAction.ANOTHER_TIME) return { kind: "time" };
  const withWords = WITH_WORDS.find((one) => one === action);
  return withWords === undefined ? undefined : { kind: "words", action: withWords };
}

/** The focus goes back to what opened the first of them. */
export function useSheets() {
  const [open, setOpen] = useState<OpenSheet | null>(null);
  const giveBack = useRef<() => void>(undefined);
  return {
    open,
    show(sheet: OpenSheet): void {
      if (open === null) giveBack.current = rememberFocus();
      setOpen(sheet);
    },
    close(): void {
      setOpen(null);
      giveBack.current?.();
    },
  };
}
type Shown = ReturnType<typeof useSheets>;

type Props = { favor: Favor; me: string; steps: Steps; sheets: Shown };

function TimeSheet({ favor, me, steps, sheets }: Props) {
  const send = ({ message, start }: OtherTime, onDone: () => void): Promise<boolean> => {
    const at = start === "" ? undefined : timestampFromDate(new Date(start));
    return steps.taken({ favor, action: FavorAction.ANOTHER_TIME, message, start: at }, onDone);
  };
  return (
    <Sheet
      opened
      onClose={sheets.close}
      title={actionWords[FavorAction.ANOTHER_TIME].title}
      skeleton={<FieldSkeleton label={frameWords.loading} />}
    >
      <AnotherTime
        me={me}
        favor={favor.id}
        onChoose={() => sheets.show({ kind: "calendar" })}
        onClose={sheets.close}
        onSend={send}
      />
    </Sheet>
  );
}

/** Leads back to the words that go along. */
function StartSheet({ favor, me, sheets }: Props) {
  const back = (): void => sheets.show({ kind: "time" });
  return (
    <Sheet
      opened
      onClose={back}
      title={sheetWords.selectTime}
      skeleton={<CalendarSkeleton label={frameWords.loading} />}
    >
      <CalendarSheet
        value={timeKept(me, favor.id).start}
        onChoose={(iso) => {
          keepStart(me, favor.id, iso);
          back();
        }}
      />
    </Sheet>
  );
}

function FriendsSheet({ favor, sheets }: Props) {
  return (
    <Sheet
      opened
      onClose={sheets.close}
      title={offerWords.whoElse}
      skeleton={<RowSkeletons label={sheetWords.loadingFriends} />}
    >
      <AskSheet
        favor={favor}
        onChoose={({ uid, displayName }) => sheets.show({ kind: "ask", uid, name: displayName })}
      />
    </Sheet>
  );
}

/** `to` is who is asked, where somebody is. */
type WordsProps = Props & { action: WithWords | FavorAction.ASK; to?: { uid: string; name: string } };

function SaySheet({ favor, me, steps, sheets, action, to }: WordsProps) {
  const said = wordsOf(favor, action);
  const { uid = "", name = "" } = to ?? {};
  // Who does not ask this friend may ask another one.
  const back = to === undefined ? sheets.close : (): void => sheets.show({ kind: "friends" });
  return (
    <Sheet
      opened
      onClose={back}
      title={to === undefined ? said.title : offerWords.askName(name)}
      skeleton={<FieldSkeleton label={frameWords.loading} />}
    >
      <WordsSheet
        me={me}
        form={`said-${action}/${favor.id}/${uid}`}
        about={favor.title || cardWords.untitled}
        said={said}
        onCancel={back}
        onSent={sheets.close}
        onSend={(message, onDone) => steps.taken({ favor, action, message, uid }, onDone)}
      />
    </Sheet>
  );
}

export function Sheets(props: Props) {
  const { open } = props.sheets;
  if (open === null) return null;
  switch (open.kind) {
    case "time":
      return <TimeSheet {...props} />;
    case "calendar":
      return <StartSheet {...props} />;
    case "friends":
      return <FriendsSheet {...props} />;
    case "words":
      return <SaySheet key={open.action} {...props} action={open.action} />;
    case "ask":
      return <SaySheet key={open.uid} {...props} action={FavorAction.ASK} to={open} />;
    default:
      return open satisfies never;
  }
}
