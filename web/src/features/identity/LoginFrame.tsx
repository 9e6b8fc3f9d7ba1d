// What stands around signing in, and all of it that is known before its forms have come.
import { Skeleton } from "@mantine/core";
import type { ReactNode } from "react";
import { kept } from "../../lib/kept";
import { Logo, Street } from "../../ui/brand";
import { words } from "./words";

export type Typed = { step: "signIn" | "signUp" | "verify"; email: string; name: string };
export const NOBODY = "nobody";
export const FORM = "login";

function readTyped(value: unknown): Typed | null {
  if (typeof value !== "object" || value === null) return null;
  const { step, email, name } = value as Partial<Record<keyof Typed, unknown>>;
  if (step !== "signIn" && step !== "signUp" && step !== "verify") return null;
  return { step, email: String(email ?? ""), name: String(name ?? "") };
}

export const heads = {
  signIn: { title: words.welcomeBack, sub: words.welcomeBackSub },
  signUp: { title: words.welcome, sub: words.welcomeSub },
  verify: { title: words.checkMail, sub: words.codeSentTo },
} as const;

export const keptTyped = (): Typed => kept(NOBODY, FORM, readTyped) ?? { step: "signIn", email: "", name: "" };

export function LoginFrame({ children }: { children: ReactNode }) {
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

export function LoginWaiting() {
  const { title, sub } = heads[keptTyped().step];
  return (
    <LoginFrame>
      <span className="row s t18">
        <Logo />
        Goodturn
      </span>
      <div>
        <h1 className="big">{title}</h1>
        <p className="sub">{sub}</p>
      </div>
      <div className="stack f" role="status" aria-label="Loading">
        <Skeleton h={48} />
        <Skeleton h={72} />
        <Skeleton h={72} />
        <Skeleton h={52} />
      </div>
    </LoginFrame>
  );
}
