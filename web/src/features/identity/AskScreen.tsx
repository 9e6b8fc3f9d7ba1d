// What a sign-in asks for beside the password, one step after another, until who signs in is in or back at the password.
import { useState } from "react";
import type { Ask, Factor } from "../../lib/asked";
import { session } from "../../lib/current";
import { useLayer } from "../../lib/layers";
import { again, answer, type Begin, endSetUp } from "./askCalls";
import { words } from "./askWords";
import { FactorForm } from "./FactorForm";
import { NewPasswordForm } from "./NewPasswordForm";
import { SelectForm } from "./SelectForm";
import { SetUpForm } from "./SetUpForm";
import { asked, next, type Outcome, type Standing } from "./standing";

type Asked = Standing & { at: "asked" };
type Props = {
  first: Ask;
  /** Begins the sign-in once more. */
  begin: Begin;
  /** Back to the password, with the reason where it is not the member's own wish. */
  onPassword: (why: string) => void;
};

export function AskScreen({ first, begin: begun, onPassword }: Props) {
  const [standing, setStanding] = useState(() => asked(first) as Asked);
  // The choice that led to this code: the way back leads there.
  const [choice, setChoice] = useState<Ask | null>(null);
  // A choice serves once.
  const [served, setServed] = useState(false);
  const [begin, setBegin] = useState<Begin>(() => begun);
  const [busy, setBusy] = useState(false);
  const { ask, said } = standing;

  useLayer(choice !== null, () => {
    if (choice !== null) setStanding(asked(choice) as Asked);
    setChoice(null);
    setServed(true);
  });

  function take(outcome: Outcome): void {
    const follows = next(standing, outcome);
    // The screen of who is in takes the place of this one.
    if (follows.at === "in") return;
    setBusy(false);
    if (follows.at === "password") onPassword(follows.why === "locked" ? follows.text : words.back[follows.why]);
    else setStanding(follows);
  }

  async function run(work: () => Promise<Outcome>, then: (outcome: Outcome) => void = take): Promise<void> {
    if (busy) return;
    setBusy(true);
    then(await work());
  }

  const chosen = (factor: Factor): Promise<void> =>
    run(
      () => (served ? again(begin, factor) : answer(ask, factor)),
      (outcome) => {
        if (outcome.kind === "asked") setChoice(ask);
        take(outcome);
      },
    );

  const resend = (): Promise<void> =>
    run(
      () => again(begin, "SMS_MFA"),
      (outcome) => {
        take(outcome);
        if (outcome.kind === "asked") setStanding((was) => ({ ...was, said: { kind: "sent" } }));
      },
    );

  function choosePassword(password: string): void {
    const { username } = ask;
    void run(
      () => answer(ask, password),
      (outcome) => {
        if (outcome.kind !== "refused") setBegin(() => () => session.signIn(username, password));
        take(outcome);
      },
    );
  }

  const shared = { said, busy };
  switch (ask.step.kind) {
    case "totp":
    case "sms":
    case "mail":
      return (
        <FactorForm
          key={ask.session}
          step={ask.step}
          name={ask.session}
          username={ask.username}
          {...shared}
          onAnswer={(code, remembers) => void run(() => answer(ask, code, remembers))}
          onResend={() => void resend()}
        />
      );
    case "select":
      return <SelectForm factors={ask.step.from} {...shared} onChosen={(factor) => void chosen(factor)} />;
    case "setUp":
      return (
        <SetUpForm
          ask={ask}
          {...shared}
          onCode={(ready, code) => void run(() => endSetUp(ready, code))}
          onRefused={take}
        />
      );
    case "newPassword":
      return <NewPasswordForm {...shared} onAnswer={choosePassword} />;
    default:
      return ask.step satisfies never;
  }
}
