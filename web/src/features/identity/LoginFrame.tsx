// What stands around signing in, and all of it that is known before its forms have come.
import { Skeleton } from "@mantine/core";
import type { ReactNode } from "react";
import { isKnown, kept } from "../../lib/kept";
import { Logo, Street } from "../../ui/brand";
import { Words } from "../../ui/Words";
import { filled } from "../../ui/filled";
import { words as brandWords } from "../../ui/shellWords";
import { words } from "./frameWords";

const STEPS = ["signIn", "signUp", "verify", "forgot", "reset"] as const;
type Step = (typeof STEPS)[number];
/** `uid` is that of the sign-up which waits for its code: others may wait at the same address. */
export type Typed = { step: Step; email: string; name: string; uid: string };
export const NOBODY = "nobody";
export const FORM = "login";

function readTyped(value: unknown): Typed | null {
  if (typeof value !== "object" || value === null) return null;
  const { step, email, name, uid } = value as Partial<Record<keyof Typed, unknown>>;
  const known = STEPS.find((one) => one === step);
  return known ? { step: known, email: String(email ?? ""), name: String(name ?? ""), uid: String(uid ?? "") } : null;
}

const titles = {
  signIn: words.welcome,
  signUp: words.welcome,
  verify: words.checkMail,
  forgot: words.forgot,
  reset: words.newPassword,
};
const subs: Partial<Record<Step, string>> = {
  signIn: words.welcomeSub,
  signUp: words.welcomeSub,
  forgot: words.forgotSub,
};

export const keptTyped = (): Typed => kept(NOBODY, FORM, readTyped) ?? { step: "signIn", email: "", name: "", uid: "" };

export function LoginFrame({ children }: { children: ReactNode }) {
  return (
    <div className="login">
      <div className="login-strip" aria-hidden="true">
        <Street height={104} />
      </div>
      <div className="login-art" aria-hidden="true">
        <div className="login-say">
          <Logo size={56} />
          <p className="big" style={{ marginTop: "1.5rem", whiteSpace: "pre-line" }}>
            {words.motto}
          </p>
          <p className="sub">{brandWords.tagline}</p>
        </div>
        <Street height={280} />
      </div>
      <main className="login-form">
        <div className="login-in stack f">{children}</div>
      </main>
    </div>
  );
}

export function LoginHead({ step, email }: Typed) {
  const isBack = step === "signIn" && isKnown();
  const address = (
    <b className="breakable ink" style={{ display: "block" }}>
      <Words>{email}</Words>
    </b>
  );
  return (
    <div>
      <h1 className="big">{isBack ? words.welcomeBack : titles[step]}</h1>
      <p className="sub">{isBack ? words.welcomeBackSub : (subs[step] ?? filled(words.codeSentTo, address))}</p>
    </div>
  );
}

export function LoginWaiting() {
  return (
    <LoginFrame>
      <span className="row s t18">
        <Logo />
        {brandWords.brand}
      </span>
      <LoginHead {...keptTyped()} />
      <div className="stack f" role="status" aria-label={words.loading}>
        <Skeleton h={48} />
        <Skeleton h={72} />
        <Skeleton h={72} />
        <Skeleton h={52} />
      </div>
    </LoginFrame>
  );
}
