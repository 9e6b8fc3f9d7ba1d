// The first screen: signing in, signing up, and the code that verifies an address.
import { Button, SegmentedControl } from "@mantine/core";
import { IconCircleCheck, IconFlask } from "@tabler/icons-react";
import { useCallback, useEffect, useState } from "react";
import { useConfig } from "../../lib/config";
import { session } from "../../lib/current";
import { forget, keep } from "../../lib/kept";
import { alsoAhead, fetchAhead } from "../../lib/parts";
import { useTitle } from "../../lib/title";
import { claimsOf } from "../../lib/tokens";

import { Logo } from "../../ui/brand";
import { Note } from "../../ui/Pieces";
import { words as brandWords } from "../../ui/words";
import { calls } from "./ahead";
import { FORM, keptTyped, LoginFrame, LoginHead, NOBODY, type Typed } from "./LoginFrame";
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

export function LoginScreen() {
  const config = useConfig();
  const [typed, setTyped] = useState<Typed>(keptTyped);
  // The password of a sign-up waits here for the verification, in memory only.
  const [password, setPassword] = useState("");
  const [justVerified, setJustVerified] = useState(false);
  const { step } = typed;
  useTitle(step === "signUp" ? words.titleUp : words.titleIn);
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
    setJustVerified(false);
    setTyped((was) => ({ ...was, ...next }));
  };

  async function enter(email: string, secret: string): Promise<void> {
    try {
      if (secret === "") throw new Error("the page was loaded anew since the sign-up");
      await session.signIn(email, secret);
    } catch {
      go({ step: "signIn" });
      setJustVerified(true);
    }
  }

  function joined({ email, password: secret, needsCode }: Joined): void {
    setPassword(secret);
    if (needsCode) go({ step: "verify", email });
    else void enter(email, secret);
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
      {step !== "verify" && (
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
      {justVerified && (
        <Note tone="ok" role="status" icon={<IconCircleCheck size={20} />}>
          {words.verifiedSignIn}
        </Note>
      )}
      {step === "signIn" && (
        <SignInForm
          email={typed.email}
          onEmail={(email) => setTyped((was) => ({ ...was, email }))}
          onUnconfirmed={(email, secret) => {
            setPassword(secret);
            go({ step: "verify", email });
          }}
        />
      )}
      {step === "signUp" && <SignUpForm email={typed.email} name={typed.name} onTyped={keepTyped} onJoined={joined} />}
      {step === "verify" && (
        <VerifyForm
          email={typed.email}
          onVerified={() => void enter(typed.email, password)}
          onOther={() => go({ step: "signUp" })}
        />
      )}
      {config?.demo && step !== "verify" && <Demo demo={config.demo} />}
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
