// The first screen: signing in, signing up, and the code that verifies an address.
import { Button, SegmentedControl } from "@mantine/core";
import { IconCircleCheck, IconFlask } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { loadConfig } from "../../lib/config";
import { forget, keep, kept } from "../../lib/kept";
import { useTitle } from "../../lib/title";
import { claimsOf } from "../../lib/tokens";
import { session } from "../../lib/transport";
import { Logo, Street } from "../../ui/illustrations";
import { Note } from "../../ui/Pieces";
import { SignInForm } from "./SignInForm";
import { type Joined, SignUpForm } from "./SignUpForm";
import { VerifyForm } from "./VerifyForm";
import { words } from "./words";

type Typed = { step: "signIn" | "signUp" | "verify"; email: string; name: string };
const NOBODY = "nobody";
const FORM = "login";

function readTyped(value: unknown): Typed | null {
  if (typeof value !== "object" || value === null) return null;
  const { step, email, name } = value as Partial<Record<keyof Typed, unknown>>;
  if (step !== "signIn" && step !== "signUp" && step !== "verify") return null;
  return { step, email: String(email ?? ""), name: String(name ?? "") };
}

const heads = {
  signIn: { title: words.welcomeBack, sub: words.welcomeBackSub },
  signUp: { title: words.welcome, sub: words.welcomeSub },
  verify: { title: words.checkMail, sub: words.codeSentTo },
} as const;

function Frame({ children }: { children: ReactNode }) {
  return (
    <div className="login">
      <div className="login-strip" aria-hidden="true">
        <Street height={104} />
      </div>
      <div className="login-art" aria-hidden="true">
        <div className="login-say">
          <Logo size={56} />
          <p className="big" style={{ marginTop: 24 }}>
            Good neighbours,
            <br />
            one favor at a time.
          </p>
          <p className="sub">Your community favor network</p>
        </div>
        <Street height={280} />
      </div>
      <main className="login-form">
        <div className="login-in stack f">{children}</div>
      </main>
    </div>
  );
}

function LocalTesting() {
  return (
    <span className="badge" data-tone="wait">
      <IconFlask size={16} />
      {words.localTesting}
    </span>
  );
}

export function LoginScreen() {
  const { data: config } = useQuery({ queryKey: ["config"], queryFn: loadConfig, staleTime: Number.POSITIVE_INFINITY });
  const [typed, setTyped] = useState<Typed>(
    () => kept(NOBODY, FORM, readTyped) ?? { step: "signIn", email: "", name: "" },
  );
  // The password of a sign-up waits here for the verification, in memory only.
  const [password, setPassword] = useState("");
  const [justVerified, setJustVerified] = useState(false);
  const { step } = typed;
  const head = heads[step];
  useTitle(step === "signUp" ? "Sign up" : "Sign in");
  useEffect(() => keep(NOBODY, FORM, typed), [typed]);
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
    <Frame>
      <div className="row between" style={{ flexWrap: "wrap" }}>
        <span className="row s t18">
          <Logo />
          Goodturn
        </span>
        {config?.localTesting && <LocalTesting />}
      </div>
      <div>
        <h1 className="big">{head.title}</h1>
        <p className="sub">
          {head.sub}
          {step === "verify" && (
            <>
              {" "}
              <b className="breakable" style={{ color: "var(--gt-ink)", display: "block" }}>
                {typed.email}
              </b>
            </>
          )}
        </p>
      </div>
      {step !== "verify" && (
        <SegmentedControl
          aria-label="Sign in or sign up"
          value={step}
          data={[
            { value: "signIn", label: "Sign In" },
            { value: "signUp", label: "Sign Up" },
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
    </Frame>
  );
}

function Demo({ demo }: { demo: { accessToken: string; idToken: string } }) {
  return (
    <Button variant="default" size="lg" fullWidth onClick={() => session.takeOver(demo)}>
      {words.continueAs(claimsOf(demo.idToken).name)}
    </Button>
  );
}
