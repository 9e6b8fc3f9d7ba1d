// The first screen: signing in, signing up, and the code that verifies an address.
import { Button, SegmentedControl } from "@mantine/core";
import { IconCircleCheck, IconFlask } from "@tabler/icons-react";
import { useCallback, useEffect, useState } from "react";
import { useConfig } from "../../lib/config";
import { session } from "../../lib/current";
import { forget, keep } from "../../lib/kept";
import { useLayer } from "../../lib/layers";
import { alsoAhead, fetchAhead } from "../../lib/parts";
import { useTitle } from "../../lib/title";
import { claimsOf } from "../../lib/tokens";

import { Logo } from "../../ui/brand";
import { Note } from "../../ui/Pieces";
import { words as brandWords } from "../../ui/words";
import { calls } from "./ahead";
import { ForgotForm } from "./ForgotForm";
import { FORM, keptTyped, LoginFrame, LoginHead, NOBODY, type Typed } from "./LoginFrame";
import { ResetForm } from "./ResetForm";
import { SignInForm } from "./SignInForm";
import { type Joined, SignUpForm } from "./SignUpForm";
import { VerifyForm } from "./VerifyForm";
import { words } from "./words";

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

export function LoginScreen() {
  const config = useConfig();
  const [typed, setTyped] = useState<Typed>(keptTyped);
  // The password of a sign-up waits here for the verification, in memory only.
  const [password, setPassword] = useState("");
  // What went well just now, though signing in by itself did not.
  const [done, setDone] = useState("");
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
    setTyped((was) => ({ ...was, ...next }));
  };

  // Each step beyond the first form is one more behind which the way back leads.
  useLayer(step === "verify", () => go({ step: "signUp" }));
  useLayer(step === "forgot" || step === "reset", () => go({ step: "signIn" }));
  useLayer(step === "reset", () => go({ step: "forgot" }));

  async function enter(email: string, secret: string, after: string): Promise<void> {
    try {
      if (secret === "") throw new Error("the page was loaded anew since the sign-up");
      await session.signIn(email, secret);
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
        />
      )}
      {step === "signUp" && (
        <SignUpForm email={typed.email} name={typed.name} secret={password} onTyped={keepTyped} onJoined={joined} />
      )}
      {step === "verify" && (
        <VerifyForm
          username={typed.uid || typed.email}
          onVerified={() => void enter(typed.email, password, words.verifiedSignIn)}
          onOther={() => go({ step: "signUp" })}
        />
      )}
      {step === "forgot" && (
        <ForgotForm
          email={typed.email}
          onSent={(email) => go({ step: "reset", email })}
          onBack={() => go({ step: "signIn" })}
        />
      )}
      {step === "reset" && (
        <ResetForm
          email={typed.email}
          onSet={(secret) => void enter(typed.email, secret, words.passwordSet)}
          onBack={() => go({ step: "signIn" })}
        />
      )}
      {config?.demo && (step === "signIn" || step === "signUp") && <Demo demo={config.demo} />}
      <p className="dim t14 center">{words.terms}</p>
    </LoginFrame>
  );
}

function Demo({ demo }: { demo: { accessToken: string; idToken: string } }) {
  return (
    <Button variant="default" size="lg" fullWidth onClick={() => session.takeOver(demo)}>
      {words.continueAs(claimsOf(demo.idToken).name)}
    </Button>
  );
}
