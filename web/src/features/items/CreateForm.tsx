// "Share Item with Friends": the form of a new item, a tab on a desktop and a screen of its own on a phone.
import { Button } from "@mantine/core";
import { IconPhotoOff, IconUpload } from "@tabler/icons-react";
import { useEffect, useId, useRef } from "react";
import { useLocation } from "wouter";
import { useAskedBack } from "../../lib/asking";
import { useBack } from "../../lib/back";
import { sharePath } from "../../lib/sharing";
import { useTitle } from "../../lib/title";
import { Failed } from "../../ui/Failed";
import { Note } from "../../ui/Pieces";
import { say } from "../../ui/said";
import { ScreenHead } from "../../ui/ScreenHead";
import { Stick } from "../../ui/Stick";
import { Switch } from "../../ui/Switch";
import { dismiss } from "../../ui/toast";
import { words as frameWords } from "../../ui/shellWords";
import { useItemsApi } from "./deeds";
import { check } from "./form";
import { formWords } from "./formWords";
import { ItemFields } from "./ItemFields";
import { PictureEditor } from "./PictureEditor";
import { type Chosen, isFinishing, useChosen } from "./pictures";
import { useItem } from "./queries";
import { type Outcome, tellDone } from "./saving";
import { type ItemFormState, mayDiscard, useItemForm } from "./useItemForm";
import { words } from "./words";

/** The first thing that is wrong, as the documents have it. */
const wrongOf = ({ wrong, values }: ItemFormState): string | undefined => {
  const names = Object.keys(check(values)) as (keyof typeof wrong)[];
  return names.map((name) => wrong[name]).find((text) => text !== undefined);
};

/** How far the pictures are of the item that was made. */
function Sending({ chosen }: { chosen: readonly Chosen[] }) {
  const now = chosen.find(({ part }) => part !== null);
  if (now === undefined) return null;
  const left = chosen.filter(({ failed }) => failed === "").length;
  const text = isFinishing(now) ? formWords.finishingPictures(left) : formWords.sendingPictures(left);
  return (
    <Note tone="wait" role="status" icon={<IconUpload size={20} />}>
      {text}
      <progress className="sent" aria-label={text} max={1} {...(isFinishing(now) ? {} : { value: now.part ?? 0 })} />
    </Note>
  );
}

/** What came of the form, over its buttons. */
export function FormOutcome({ state }: { state: ItemFormState }) {
  const wrong = wrongOf(state);
  const { failed } = state;
  return (
    <>
      {wrong !== undefined && <Failed title={formWords.wrong} text={wrong} />}
      {failed?.isLost === true && <Failed text={failed.text} isTyped onRetry={state.send} />}
      {failed?.isLost === false && <Failed text={formWords.notSent(failed.text)} />}
    </>
  );
}

export function CreateForm({ me, alone = false }: { me: string; alone?: boolean }) {
  const [, navigate] = useLocation();
  const goBack = useBack();
  const api = useItemsApi();
  const chosen = useChosen(me, "");
  const about = useId();
  function went(outcome: Outcome & { ok: true }): void {
    navigate(sharePath("mine"), { replace: true });
    tellDone(api, me, outcome);
  }
  const state = useItemForm({ me, went });
  const { data: made } = useItem(state.made);
  useTitle(words.newItem);
  // It is said here from now on.
  useEffect(() => dismiss(sharePath("create")), []);
  const { tellPictures, isBusy } = state;
  // None from the beginning may be what a page that was loaded anew has lost; none after some is none.
  const hadSome = useRef(false);
  useEffect(() => {
    if (isBusy) return;
    if (chosen.length > 0 || hadSome.current) tellPictures(chosen.length);
    hadSome.current = chosen.length > 0;
  });
  const isLosing = !isBusy && (state.isUnsaved || chosen.length > 0);
  const leave = (): void => goBack(sharePath());
  useAskedBack(alone && isLosing, () => mayDiscard(me, ""), leave);

  async function cancel(): Promise<void> {
    if (!(await mayDiscard(me, ""))) return;
    if (alone) leave();
    else navigate(sharePath(), { replace: true });
    if (isBusy) say(formWords.goesOn, "idle");
  }

  return (
    <>
      {alone ? (
        <ScreenHead title={words.newItem} back={words.back} otherwise={sharePath()} onClose={() => void cancel()} />
      ) : (
        <h2 className="t18 formhead">{words.newItem}</h2>
      )}
      <form
        noValidate
        className="form"
        aria-label={words.newItem}
        onSubmit={(event) => {
          event.preventDefault();
          state.send();
        }}
      >
        <div className="stack f padstick">
          <PictureEditor me={me} item={made} isNew isBusy={isBusy} />
          {state.lostPictures > 0 && (
            <Note tone="wait" role="status" icon={<IconPhotoOff size={20} />}>
              {formWords.lostPictures}
            </Note>
          )}
          <ItemFields state={state} />
          <div>
            <Switch
              label={formWords.listNow}
              aria-describedby={about}
              checked={state.listed}
              disabled={isBusy}
              onChange={(event) => state.list(event.currentTarget.checked)}
            />
            <p className="dim t14" id={about}>
              {formWords.listNowSub}
            </p>
          </div>
        </div>
        <Stick
          pair
          above={
            <>
              <Sending chosen={chosen} />
              <FormOutcome state={state} />
            </>
          }
        >
          <Button variant="default" size="lg" px={alone ? 8 : 24} onClick={() => void cancel()}>
            {isBusy ? formWords.leave : frameWords.cancel}
          </Button>
          <Button type="submit" size="lg" className="main-act-d" loading={isBusy}>
            {state.listed ? formWords.list : formWords.save}
          </Button>
        </Stick>
      </form>
    </>
  );
}
