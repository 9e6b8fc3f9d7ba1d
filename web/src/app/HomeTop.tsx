// The top of Home, and the whole of it while it is on its way: what can be drawn without the server.
import { ActionIcon, Button, Skeleton } from "@mantine/core";
import { IconPlus, IconSettings } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";
import { listPath } from "../features/favors/paths";
import { useNow } from "../lib/now";
import type { Member } from "../lib/session";
import { words as moneyWords } from "../lib/words";
import { Face } from "../ui/Face";
import { Logo, Street } from "../ui/brand";
import { filled } from "../ui/filled";
import { CardSkeletons } from "../ui/Skeletons";
import { words as brandWords } from "../ui/shellWords";
import type { Earned } from "./stats";
import { words } from "./words";

function greetingOf(now: Date, name: string): string {
  const hour = now.getHours();
  const { morning, afternoon, evening } = words.greetings;
  return hour < 5 || hour >= 18 ? evening(name) : hour < 12 ? morning(name) : afternoon(name);
}

function Bar({ member }: { member: Member }) {
  return (
    <header className="top under m-only">
      <Logo />
      <div className="brand">
        <b>{brandWords.brand}</b>
        <span className="dim t14">{brandWords.tagline}</span>
      </div>
      <ActionIcon component={Link} href="/settings" aria-label={words.settings}>
        <IconSettings stroke={1.75} />
      </ActionIcon>
      <ActionIcon component={Link} href="/profile" aria-label={words.profile}>
        <Face person={member} size={40} fallback="U" />
      </ActionIcon>
    </header>
  );
}

export function HomeHead({ member, children }: { member: Member; children: ReactNode }) {
  const now = useNow();
  const name = member.givenName || member.displayName.split(" ")[0] || "";
  return (
    <>
      <Bar member={member} />
      <h1 className="big" tabIndex={-1}>
        {greetingOf(now, name)}
      </h1>
      <div className="sub homesub">{children}</div>
    </>
  );
}

type HeroProps = {
  /** Null while it is on its way, undefined where it could not be loaded. */
  earned: readonly Earned[] | null | undefined;
  /** How somebody begins who has not helped yet. */
  begins?: ReactNode;
};

function Hero({ earned, begins }: HeroProps) {
  const [, navigate] = useLocation();
  return (
    <div className="hero">
      <Street height={96} />
      <div className="body stack">
        {earned === null && <Skeleton h={54} w={120} />}
        {earned?.length === 0 && begins}
        {earned && earned.length > 0 && (
          <div>
            <p className="dim t14">{words.earnedByHelping}</p>
            {earned.map(({ amount, code }) => (
              <p key={code}>
                {filled(
                  moneyWords.money,
                  <span className="big num">{amount}</span>,
                  <span className="dim t14 b6">{code}</span>,
                )}
              </p>
            ))}
          </div>
        )}
        <Button
          size="lg"
          fullWidth
          leftSection={<IconPlus size={22} />}
          onClick={() => navigate(listPath({ tab: "create" }))}
        >
          {words.requestFavor}
        </Button>
      </div>
    </div>
  );
}

type Parts = HeroProps & {
  /** What is said under the greeting. */
  line: ReactNode;
  /** Beside the rest, where there is room. */
  aside: ReactNode;
  children: ReactNode;
};

/** Home from its first moment on: what can be pressed while the rest is on its way is still the same when that comes. */
export function HomeFrame({ member, line, earned, begins, aside, children }: Parts & { member: Member }) {
  return (
    <>
      <HomeHead member={member}>{line}</HomeHead>
      <div className="two">
        <div className="stack l">
          <Hero earned={earned} begins={begins} />
          {children}
        </div>
        <div className="only-wide">{aside}</div>
      </div>
    </>
  );
}

/** One skeleton for the whole of Home, so that its sections come together. */
export const waitingParts = (): Parts => ({
  line: <Skeleton h={16} w={260} my={4} />,
  earned: null,
  aside: <Skeleton h={280} mt={37} radius={16} />,
  children: (
    <div className="stack">
      <Skeleton h={25} w={160} />
      <CardSkeletons label={words.loadingHome} count={3} />
    </div>
  ),
});
