// Asks for a new favor. What is typed is kept over a reload until it is posted or cleared.
import { Button } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import { useCallback, useEffect, useEffectEvent, useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import type { Favor } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { friendToAsk } from "../../lib/askFriend";
import type { Errors } from "../../lib/fields";
import { forget } from "../../lib/kept";
import { present } from "../../lib/now";
import { confirmed } from "../../ui/confirm";
import { Note } from "../../ui/Pieces";
import { say } from "../../ui/said";
import { ScreenHead } from "../../ui/ScreenHead";
import { Stick } from "../../ui/Stick";
import { dismiss, toast } from "../../ui/toast";
import { useSplit } from "../../ui/useDesktop";
import { asksToDiscard, Elsewhere, eitherVersion, Sending, toastUnsent, type Way } from "./Elsewhere";
import { FavorFields } from "./FavorFields";
import { blank, checkDraft, checkPost, type FavorValues, isBlank, postedText } from "./form";
import { favorPath, listPath, postedPath } from "./paths";
import { allDone, type Outcome } from "./saving";
import { useFavorForm } from "./useFavorForm";
import { baseOf, type Deed, formOf, heldOf, hold, isUnsaved, type Meanwhile, NEW, NOTHING } from "./version";
import { formWords } from "./formWords";
import { words } from "./words";

const BANNER_MS = 3000;

/** Fills the form that opens next; asks first when words would be lost. @returns whether it was filled. */
export async function fillForm(me: string, values: FavorValues): Promise<boolean> {
  // What is under way belongs to what the form holds now.
  await allDone(me, NEW);
  if (isUnsaved(heldOf(me, NEW)) && !(await confirmed({ ...formWords.replace }))) return false;
  hold(me, NEW, { ...NOTHING, values });
  return true;
}

/** Where a new favor is asked for. */
const PATH = listPath({ tab: "create" });

const wrongIn = (deed: Deed, values: FavorValues): Errors<FavorValues> =>
  deed === "draft" ? checkDraft(values) : checkPost(values, present());

/** The form was left while something was under way. */
function missed(outcome: Outcome): void {
  if (!outcome.ok) void toastUnsent(outcome, PATH, formWords.unsure);
  else toast({ text: outcome.deed === "post" ? postedText(outcome) : formWords.draftSaved });
}

/** Shown for 3 seconds, as documented. */
function useBanner(): [boolean, (on: boolean) => void] {
  const [since, setSince] = useState(0);
  useEffect(() => {
    if (since === 0) return undefined;
    const timer = setTimeout(() => setSince(0), BANNER_MS);
    return () => clearTimeout(timer);
  }, [since]);
  return [since > 0, useCallback((on) => setSince(on ? Date.now() : 0), [])];
}

/** `alone`: a screen of its own, without the tabs. */
export function CreateForm({ me, alone = false }: { me: string; alone?: boolean }) {
  const [, navigate] = useLocation();
  const split = useSplit();
  const [isSaved, showSaved] = useBanner();
  const state = useFavorForm({
    me,
    form: NEW,
    went: (outcome) => {
      const { deed, id } = outcome;
      if (deed === "draft") return showSaved(true);
      fields.replace(blank());
      navigate(postedPath(id, split), { replace: true });
      say(postedText(outcome));
    },
    missed,
  });
  const { fields, base, underWay, elsewhere } = state;
  // It is said here from now on.
  useEffect(() => dismiss(PATH), []);
  const { values } = fields;

  // Coming from a friend's sheet chooses that friend and keeps what was typed before.
  const [search] = useSearchParams();
  const friend = friendToAsk(search);
  const askFriend = useEffectEvent(() => {
    if (isBlank(values)) fields.set("recipients", [friend]);
    navigate(PATH, { replace: true });
  });
  useEffect(() => {
    if (friend !== "") askFriend();
  }, [friend]);

  function send(deed: Deed): void {
    state.hush();
    showSaved(false);
    const wrong = wrongIn(deed, values);
    fields.show(wrong);
    if (Object.keys(wrong).length === 0) state.save(deed, values);
  }

  function clear(): void {
    fields.replace(blank());
    state.hush();
    hold(me, NEW, { ...NOTHING, values: blank() });
  }

  async function startNew(): Promise<void> {
    const isLosing = isUnsaved({ values, base });
    if (isLosing && !(await confirmed({ ...formWords.clear, about: values.title.trim(), destructive: true }))) return;
    await allDone(me, NEW);
    clear();
  }

  async function drop(): Promise<void> {
    if (isBlank(values) || (await asksToDiscard(values.title))) clear();
  }

  /** Hands the words over to the form that changes the posted favor. */
  function open(favor: Favor): void {
    const edits = elsewhere.kind === "posted";
    if (edits) hold(me, formOf(favor.id), { values, base: baseOf(favor), unsure: null });
    forget(me, NEW);
    navigate(favorPath(favor.id, {}, edits));
  }

  function waysOf(now: Meanwhile): Way[] {
    const asNew = { label: formWords.elsewhere.asNew, take: () => hold(me, NEW, { base: null }) };
    switch (now.kind) {
      case "changed":
        return eitherVersion(now.favor, state.adopt, state.keepWords);
      case "posted":
      case "closed":
        return [{ label: formWords.elsewhere.open, take: () => open(now.favor) }, asNew];
      case "gone":
        return [asNew, { label: formWords.elsewhere.drop, take: () => void drop() }];
      case "nothing":
      case "touched":
        return [];
      default:
        return now satisfies never;
    }
  }

  const startsNew = (
    <button type="button" className="link" onClick={() => void startNew()}>
      {formWords.startNew}
    </button>
  );
  const fieldsAndBar = (
    <form
      noValidate
      aria-label={words.newFavor}
      onSubmit={(event) => {
        event.preventDefault();
        send("post");
      }}
    >
      <div className="form">
        <div className="stack f padstick">
          {!alone && (
            <div className="row between">
              <h2 className="t18">{words.newFavor}</h2>
              {startsNew}
            </div>
          )}
          {/* What is posted is what stands there. */}
          <fieldset className="fieldset" disabled={underWay.includes("post")}>
            <FavorFields fields={fields} />
          </fieldset>
        </div>
        {base !== null && elsewhere.kind !== "nothing" ? (
          <Stick above={<Elsewhere now={elsewhere} before={base.values} ways={waysOf(elsewhere)} />} />
        ) : (
          <Stick
            pair
            above={
              <>
                <Sending
                  failure={state.failure}
                  isResuming={state.isResuming}
                  isUnsure={state.isUnsure}
                  onRetry={send}
                />
                <div role="status" className="outcome">
                  {isSaved && (
                    <Note tone="ok" icon={<IconCircleCheck size={20} />}>
                      {formWords.draftSaved}
                    </Note>
                  )}
                </div>
              </>
            }
          >
            <Button
              variant="default"
              size="lg"
              loading={underWay.includes("draft")}
              onClick={() => send("draft")}
              px={8}
            >
              {base === null ? formWords.saveDraft : formWords.updateDraft}
            </Button>
            <Button type="submit" size="lg" className="main-act-d" loading={underWay.includes("post")}>
              {words.post}
            </Button>
          </Stick>
        )}
      </div>
    </form>
  );
  if (!alone) return fieldsAndBar;
  return (
    <>
      <ScreenHead title={words.newFavor} back={words.back} otherwise={listPath()} aside={startsNew} />
      {fieldsAndBar}
    </>
  );
}
