// The first screen: signing in, signing up, the code that verifies an address, and what else a sign-in asks for.
import { Button, SegmentedControl } from "@mantine/core";
import { IconAlertCircle, IconCircleCheck, IconFlask } from "@tabler/icons-react";
import { useCallback, useEffect, useState } from "react";
import type { Ask } from "../../lib/asked";
import { useConfig } from "../../lib/config";
import { session } from "../../lib/current";
import { providersOf } from "../../lib/hosted";
import { forget, keep } from "../../lib/kept";
import { useLayer } from "../../lib/layers";
import { alsoAhead, fetchAhead, part } from "../../lib/parts";
import { useTitle } from "../../lib/title";
import { claimsOf } from "../../lib/tokens";

import { Logo } from "../../ui/brand";
import { Piece } from "../../ui/Piece";
import { Note } from "../../ui/Pieces";
import { FieldSkeleton } from "../../ui/Skeletons";
import { words as brandWords } from "../../ui/words";
import { calls } from "./ahead";
import { ForgotForm } from "./ForgotForm";
import { FORM, keptTyped, LoginFrame, LoginHead, NOBODY, type Typed } from "./LoginFrame";
import { SignInForm } from "./SignInForm";
import { type Joined, SignUpForm } from "./SignUpForm";
import { words } from "./words";

// Few see these.
const AskScreen = part(() => import("./AskScreen").then((m) => m.AskScreen));
const CallbackScreen = part(() => import("./CallbackScreen").then((m) => m.CallbackScreen));
const Providers = part(() => import("./Providers").then((m) => m.Providers));
const ResetForm = part(() => import("./ResetForm").then((m) => m.ResetForm));
const VerifyForm = part(() => import("./VerifyForm").then((m) => m.VerifyForm));

/** What a sign-in asks for; `begin` begins it anew. */
type Asked = { ask: Ask; begin: () => Promise<Ask | null> };

function LocalTesting() {
  return (
    <span className="badge" data-tone="wait">
      <IconFlask size={16} />
      {words.localTesting}
    </span>
  );
}

const titles = {
  signIn: words.titleIn,
  signUp: words.titleUp,
  verify: words.titleIn,
  forgot: words.titleForgot,
  reset: words.titleForgot,
};

function Door() {
  const config = useConfig();
  const providers = config === undefined ? [] : providersOf(config);
  const [typed, setTyped] = useState<Typed>(keptTyped);
  // The password of a sign-up waits here for the verification, in memory only.
  const [password, setPassword] = useState("");
  // What went well just now, though signing in by itself did not.
  const [done, setDone] = useState("");
  const [asked, setAsked] = useState<Asked | null>(null);
  // Why somebody is back at the password.
  const [why, setWhy] = useState("");
  const { step } = typed;
  useTitle(titles[step]);
  useEffect(() => keep(NOBODY, FORM, typed), [typed]);
  // While somebody types: what signing in needs.
  useEffect(() => {
    alsoAhead(calls);
    alsoAhead(() => import("../../lib/srp"));
    void fetchAhead();
  }, []);
  // Only a sign-in takes this screen away.
  useEffect(() => () => forget(NOBODY, FORM), []);

  const keepTyped = useCallback((email: string, name: string) => setTyped((was) => ({ ...was, email, name })), []);

  const go = (next: Partial<Typed>): void => {
    setDone("");
    setWhy("");
    setTyped((was) => ({ ...was, ...next }));
  };

  // Each step beyond the first form is one more behind which the way back leads.
  useLayer(step === "verify", () => go({ step: "signUp" }));
  useLayer(step === "forgot" || step === "reset", () => go({ step: "signIn" }));
  useLayer(step === "reset", () => go({ step: "forgot" }));
  useLayer(asked !== null, () => setAsked(null));

  /** A code is asked for: who was on the way to another step is not any more. */
  function ask(next: Ask, begin: Asked["begin"]): void {
    go({ step: "signIn" });
    setAsked({ ask: next, begin });
  }

  async function enter(email: string, secret: string, after: string): Promise<void> {
    try {
      if (secret === "") throw new Error("the page was loaded anew since the sign-up");
      const begin = () => session.signIn(email, secret);
      const next = await begin();
      if (next !== null) ask(next, begin);
    } catch {
      go({ step: "signIn" });
      setDone(after);
    }
  }

  function joined({ email, password: secret, uid }: Joined): void {
    setPassword(secret);
    if (uid === null) void enter(email, secret, words.verifiedSignIn);
    else go({ step: "verify", email, uid });
  }

  return (
    <LoginFrame>
      <div className="row between wraps">
        <span className="row s t18">
          <Logo />
          {brandWords.brand}
        </span>
        {config?.localTesting && <LocalTesting />}
      </div>
      {asked === null ? (
        <>
          <LoginHead {...typed} />
          {(step === "signIn" || step === "signUp") && (
            <SegmentedControl
              aria-label={words.signInOrUp}
              value={step}
              data={[
                { value: "signIn", label: words.signIn },
                { value: "signUp", label: words.signUp },
              ]}
              onChange={(value) => go({ step: value === "signUp" ? "signUp" : "signIn" })}
            />
          )}
          {why !== "" && (
            <Note tone="no" role="alert" icon={<IconAlertCircle size={20} />} title={words.signInFailed.title}>
              {why}
            </Note>
          )}
          {done !== "" && (
            <Note tone="ok" role="status" icon={<IconCircleCheck size={20} />}>
              {done}
            </Note>
          )}
          {step === "signIn" && (
            <SignInForm
              email={typed.email}
              onEmail={(email) => setTyped((was) => ({ ...was, email }))}
              onUnconfirmed={(email, secret) => {
                setPassword(secret);
                go({ step: "verify", email, uid: "" });
              }}
              onForgot={(email) => go({ step: "forgot", email })}
              onAsked={ask}
            />
          )}
          {step === "signUp" && (
            <SignUpForm email={typed.email} name={typed.name} secret={password} onTyped={keepTyped} onJoined={joined} />
          )}
          {step === "verify" && (
            <Piece skeleton={<FieldSkeleton label={words.loadingStep} />}>
              <VerifyForm
                username={typed.uid || typed.email}
                onVerified={() => void enter(typed.email, password, words.verifiedSignIn)}
                onOther={() => go({ step: "signUp" })}
              />
            </Piece>
          )}
          {step === "forgot" && (
            <ForgotForm
              email={typed.email}
              onSent={(email) => go({ step: "reset", email })}
              onBack={() => go({ step: "signIn" })}
            />
          )}
          {step === "reset" && (
            <Piece skeleton={<FieldSkeleton label={words.loadingStep} />}>
              <ResetForm
                email={typed.email}
                onSet={(secret) => void enter(typed.email, secret, words.passwordSet)}
                onBack={() => go({ step: "signIn" })}
              />
            </Piece>
          )}
          {providers.length > 0 && (step === "signIn" || step === "signUp") && (
            <Piece skeleton={null}>
              <Providers names={providers} />
            </Piece>
          )}
          {config?.demo && (step === "signIn" || step === "signUp") && <Demo demo={config.demo} />}
        </>
      ) : (
        <Piece skeleton={<FieldSkeleton label={words.loadingStep} />}>
          <AskScreen
            first={asked.ask}
            begin={asked.begin}
            onPassword={(reason) => {
              setAsked(null);
              setWhy(reason);
            }}
          />
          <div className="center">
            <button type="button" className="link" onClick={() => setAsked(null)}>
              {words.backToSignIn}
            </button>
          </div>
        </Piece>
      )}
      <p className="dim t14 center">{words.terms}</p>
    </LoginFrame>
  );
}

/** `comesBack`: from a provider, with a code or without. */
export const LoginScreen = ({ comesBack }: { comesBack: boolean }) => (comesBack ? <CallbackScreen /> : <Door />);

function Demo({ demo }: { demo: { accessToken: string; idToken: string } }) {
  return (
    <Button variant="default" size="lg" fullWidth onClick={() => session.takeOver(demo)}>
      {words.continueAs(claimsOf(demo.idToken).name)}
    </Button>
  );
}
