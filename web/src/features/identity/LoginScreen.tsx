// The first screen: signing in, signing up, the code that verifies an address, and what else a sign-in asks for.
import { Button, SegmentedControl } from "@mantine/core";
import { IconAlertCircle, IconCircleCheck, IconFlask, IconMail } from "@tabler/icons-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { forgetAnswers } from "../../lib/answers";
import type { Ask } from "../../lib/asked";
import { useConfig } from "../../lib/config";
import { session } from "../../lib/current";
import { providersOf } from "../../lib/hosted";
import { forget, keep } from "../../lib/kept";
import { useLayer } from "../../lib/layers";
import { alsoAhead, fetchAhead, part } from "../../lib/parts";
import { forgetRemembered } from "../../lib/remembered";
import { useTitle } from "../../lib/title";
import { claimsOf } from "../../lib/tokens";

import { Logo } from "../../ui/brand";
import { Piece } from "../../ui/Piece";
import { Note } from "../../ui/Pieces";
import { FieldSkeleton } from "../../ui/FieldSkeleton";
import { words as brandWords } from "../../ui/shellWords";
import { calls } from "./ahead";
import { FORM, keptTyped, LoginFrame, LoginHead, NOBODY, type Typed } from "./LoginFrame";
import { resetCodeOf } from "./rules";
import { SignInForm } from "./SignInForm";
import type { Joined } from "./SignUpForm";
import { words } from "./words";

// Few see these.
const AskScreen = part(() => import("./AskScreen").then((m) => m.AskScreen));
const CallbackScreen = part(() => import("./CallbackScreen").then((m) => m.CallbackScreen));
const ForgotForm = part(() => import("./ForgotForm").then((m) => m.ForgotForm));
const Providers = part(() => import("./Providers").then((m) => m.Providers));
const ResetForm = part(() => import("./ResetForm").then((m) => m.ResetForm));
const SignUpForm = part(() => import("./SignUpForm").then((m) => m.SignUpForm));
const VerifyForm = part(() => import("./VerifyForm").then((m) => m.VerifyForm));

/** What a sign-in asks for; `begin` begins it anew. */
type Asked = { ask: Ask; begin: () => Promise<Ask | null> };

/** What is said above a form: what went well though signing in by itself did not, why somebody is back at the password, what is to be done. */
type Telling = { tone: "ok" | "no" | "wait" | "idle"; text: string; title?: string };
const ICONS = { ok: IconCircleCheck, no: IconAlertCircle, wait: IconMail, idle: IconAlertCircle };

function Told({ tone, text, title }: Telling) {
  const Icon = ICONS[tone];
  return (
    <Note tone={tone} role={tone === "no" ? "alert" : "status"} icon={<Icon size={20} />} {...(title ? { title } : {})}>
      {text}
    </Note>
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

const titles = {
  signIn: words.titleIn,
  signUp: words.titleUp,
  verify: words.titleIn,
  forgot: words.titleForgot,
  reset: words.titleForgot,
};

/** Where a session has ended elsewhere its member only needs to type the password. */
function typedBefore(): Typed {
  const before = keptTyped();
  return before.email === "" ? { ...before, email: session.endedFor() } : before;
}

/** What somebody is sent a link to: a favor, an item, a rental, a friend request. */
const SENT = /^\/(favors\/.|share\/(items|rentals)\/.|friends\/requests)/;

function Legal() {
  return (
    <p className="dim t14 center">
      {words.terms}
      <br />
      {/* In a tab of their own: what is typed here stays. */}
      <a className="link" href="/terms" target="_blank" rel="noopener">
        {words.termsLink}
      </a>{" "}
      <a className="link" href="/privacy" target="_blank" rel="noopener">
        {words.privacyLink}
      </a>
    </p>
  );
}

function Door() {
  const config = useConfig();
  const providers = config === undefined ? [] : providersOf(config);
  const [typed, setTyped] = useState<Typed>(typedBefore);
  // The password of a sign-up waits here for the verification, in memory only.
  const [password, setPassword] = useState("");
  const [told, tell] = useState<Telling | null>(() =>
    session.endedFor() === "" ? null : { tone: "idle", text: words.sessionEnded },
  );
  const [path] = useLocation();
  const awaits: Telling | null = SENT.test(path) ? { tone: "idle", text: words.awaits } : null;
  const [asked, setAsked] = useState<Asked | null>(null);
  // Each step as it was left: the way forward leads there, whatever was typed since.
  const left = useRef<Partial<Record<Typed["step"], Typed>>>({});
  const leftAsked = useRef<Asked | null>(null);
  const { step } = typed;
  const isFirst = step === "signIn" || step === "signUp";
  const shown = told ?? (isFirst ? awaits : null);
  useTitle(titles[step]);
  useEffect(() => keep(NOBODY, FORM, typed), [typed]);
  // While somebody types: what signing in needs.
  useEffect(() => {
    alsoAhead(calls);
    alsoAhead(() => import("../../lib/srp"));
    void fetchAhead();
  }, []);
  // Only a sign-in takes this screen away.
  useEffect(
    () => () => {
      forget(NOBODY, FORM);
      forgetRemembered();
    },
    [],
  );

  const keepTyped = useCallback((email: string, name: string) => setTyped((was) => ({ ...was, email, name })), []);

  const go = (next: Partial<Typed>): void => {
    tell(null);
    setTyped((was) => ({ ...was, ...next }));
  };

  const knownWays = { onSignIn: () => go({ step: "signIn" }), onReset: () => go({ step: "forgot" }) };

  // Each step beyond the first form is one more behind which the way back leads.
  useLayer(step === "verify", ...wayOf("verify", "signUp"));
  useLayer(step === "forgot" || step === "reset", ...wayOf("forgot", "signIn"));
  useLayer(step === "reset", ...wayOf("reset", "forgot"));
  useLayer(
    asked !== null,
    () => {
      leftAsked.current = asked;
      setAsked(null);
    },
    () => setAsked(leftAsked.current),
  );

  /** From a step back, and forward to it again. */
  function wayOf(from: Typed["step"], to: Typed["step"]): [() => void, () => void] {
    return [
      () => {
        left.current[from] = { ...typed, step: from };
        go({ step: to });
      },
      () => go(left.current[from] ?? {}),
    ];
  }

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
      tell({ tone: "ok", text: after });
    }
  }

  /** A step is done: what was typed in it is of no use any more. */
  function done(secret: string, after: string): Promise<void> {
    forgetRemembered();
    return enter(typed.email, secret, after);
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
          {isFirst && (
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
          {shown !== null && <Told {...shown} />}
          {step === "signIn" && (
            <SignInForm
              email={typed.email}
              onEmail={(email) => setTyped((was) => ({ ...was, email }))}
              onUnconfirmed={(email, secret) => {
                setPassword(secret);
                go({ step: "verify", email, uid: "" });
                tell({ tone: "wait", text: words.unconfirmed });
              }}
              onBegin={() => tell(null)}
              onForgot={(email) => go({ step: "forgot", email })}
              onAsked={ask}
            />
          )}
          {step === "signUp" && (
            <Piece skeleton={<FieldSkeleton label={words.loadingStep} />}>
              <SignUpForm email={typed.email} name={typed.name} onTyped={keepTyped} onJoined={joined} {...knownWays} />
            </Piece>
          )}
          {step === "verify" && (
            <Piece skeleton={<FieldSkeleton label={words.loadingStep} />}>
              <VerifyForm
                username={typed.uid || typed.email}
                onVerified={() => void done(password, words.verifiedSignIn)}
                onOther={() => go({ step: "signUp" })}
                {...knownWays}
              />
            </Piece>
          )}
          {step === "forgot" && (
            <Piece skeleton={<FieldSkeleton label={words.loadingStep} />}>
              <ForgotForm
                email={typed.email}
                onSent={(email) => {
                  forgetRemembered(resetCodeOf(email));
                  go({ step: "reset", email });
                }}
                onBack={() => go({ step: "signIn" })}
              />
            </Piece>
          )}
          {step === "reset" && (
            <Piece skeleton={<FieldSkeleton label={words.loadingStep} />}>
              <ResetForm
                email={typed.email}
                onSet={(secret) => void done(secret, words.passwordSet)}
                onBack={() => go({ step: "signIn" })}
              />
            </Piece>
          )}
          {providers.length > 0 && isFirst && (
            <Piece skeleton={null}>
              <Providers names={providers} />
            </Piece>
          )}
          {config?.demo && isFirst && <Demo demo={config.demo} />}
        </>
      ) : (
        <Piece skeleton={<FieldSkeleton label={words.loadingStep} />}>
          <AskScreen
            first={asked.ask}
            begin={asked.begin}
            onPassword={(reason) => {
              setAsked(null);
              tell({ tone: "no", title: words.signInFailed.title, text: reason });
            }}
          />
          <div className="center">
            <button type="button" className="link" onClick={() => setAsked(null)}>
              {words.backToSignIn}
            </button>
          </div>
        </Piece>
      )}
      <Legal />
    </LoginFrame>
  );
}

/** `comesBack`: from a provider, with a code or without. */
export function LoginScreen({ comesBack }: { comesBack: boolean }) {
  useEffect(forgetAnswers, []);
  return comesBack ? <CallbackScreen /> : <Door />;
}

function Demo({ demo }: { demo: { accessToken: string; idToken: string } }) {
  return (
    <Button variant="default" size="lg" fullWidth onClick={() => session.takeOver(demo)}>
      {words.continueAs(claimsOf(demo.idToken).name)}
    </Button>
  );
}
