// Leads a new member: find a friend, ask for a favor, and lend something. Stays until all is done, a first favor or rental is over,
// or the member hides it. Loaded for who is new.
import { Button } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { listPath } from "../features/favors/paths";
import { namesOf } from "../lib/lists";
import { sharePath } from "../lib/sharing";
import { Section } from "../ui/Pieces";
import { words } from "./firstStepsWords";
import type { Progress } from "./progress";
import { words as frameWords } from "./words";

function Step({
  number,
  done,
  title,
  children,
}: {
  number: number;
  done: boolean;
  title: string;
  children: ReactNode;
}) {
  return (
    <li className="row start">
      {/* The tick is as wide as the number. */}
      <span
        className="count"
        data-tone={done ? "ok" : "idle"}
        aria-hidden="true"
        style={{ width: "1.5rem", padding: "0" }}
      >
        {done ? <IconCheck size={16} /> : number}
      </span>
      <div className="grow stack s">
        <h3 className="t16 b6">
          <span aria-hidden={done}>{title}</span>
          {done && <span className="sronly">{words.stepDone(title)}</span>}
        </h3>
        {children}
      </div>
    </li>
  );
}

function FindStep({ hasFriend, asked }: Progress) {
  if (hasFriend) return null;
  return (
    <>
      <p className="dim t14">
        {asked.length === 0 ? words.findFriendText : words.friendsAsked(namesOf(asked), asked.length)}
      </p>
      <div>
        <Button component={Link} href="/friends/find" variant={asked.length === 0 ? "light" : "default"}>
          {asked.length === 0 ? words.findFriends : words.findMore}
        </Button>
      </div>
    </>
  );
}

/** Above the button that asks for a favor, as long as a member has not helped yet. */
export function Beginnings() {
  return (
    <div className="acts">
      <Button component={Link} href="/friends/find" variant="default">
        {words.inviteFriend}
      </Button>
      <Button component={Link} href={sharePath("create")} variant="default">
        {words.listItem}
      </Button>
    </div>
  );
}

export function FirstSteps({ progress, onHide }: { progress: Progress; onHide: () => void }) {
  const { hasFriend, hasPosted, lends } = progress;
  return (
    <Section
      title={words.firstSteps}
      aside={
        <button type="button" className="link end" aria-label={words.hideSteps} onClick={onHide}>
          {words.hide}
        </button>
      }
    >
      <ol className="plainlist card stack l steps">
        <Step number={1} done={hasFriend} title={words.findFriend}>
          <FindStep {...progress} />
        </Step>
        <Step number={2} done={hasPosted} title={words.askFavor}>
          {!hasPosted && <p className="dim t14">{words.askFavorText}</p>}
          {hasFriend && !hasPosted && (
            <div>
              <Button component={Link} href={listPath({ tab: "create" })} variant="light">
                {frameWords.requestFavor}
              </Button>
            </div>
          )}
        </Step>
        <Step number={3} done={lends} title={words.lend}>
          {!lends && (
            <>
              <p className="dim t14">{words.lendText}</p>
              <div>
                <Button component={Link} href={sharePath("create")} variant="light">
                  {words.listItem}
                </Button>
              </div>
            </>
          )}
        </Step>
      </ol>
    </Section>
  );
}
