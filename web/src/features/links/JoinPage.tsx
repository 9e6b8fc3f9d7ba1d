// The link of an invitation: leads who is new to a sign-up that is filled in, and tells who is in what it is.
import { Button } from "@mantine/core";
import { useEffect, useEffectEvent } from "react";
import { Link } from "wouter";
import type { Member } from "../../lib/session";
import { useTitle } from "../../lib/title";
import { LinkAsked } from "../../ui/LinkAsked";
import { LinkHead } from "../../ui/LinkHead";
import { useInvitation } from "./queries";
import { words as all } from "./words";

const words = all.join;

type Invitation = { inviterName: string; email: string };
type Props = {
  token: string;
  /** Who is signed in. */
  member: Member | null;
  onJoin: (invitation: Invitation) => void;
  onSignUp: () => void;
};

function Over({ onSignUp }: { onSignUp: () => void }) {
  return (
    <>
      <LinkHead title={words.over} text={words.overText} />
      <Button size="lg" fullWidth onClick={onSignUp}>
        {words.signUp}
      </Button>
      <Button component={Link} href="/" variant="default" size="lg" fullWidth>
        {words.signIn}
      </Button>
    </>
  );
}

function IsIn({ member, inviter }: { member: Member; inviter: string }) {
  const text = inviter === "" ? words.isInUnknown : words.isInText(inviter);
  return (
    <>
      <LinkHead title={words.isIn(member.displayName || member.email)} text={text} />
      <Button component={Link} href="/" size="lg" fullWidth>
        {words.home}
      </Button>
      <Button component={Link} href="/friends/requests" variant="default" size="lg" fullWidth>
        {words.requests}
      </Button>
    </>
  );
}

/** Draws nothing: it leads on. */
function Joining({ invitation, onJoin }: { invitation: Invitation; onJoin: Props["onJoin"] }): null {
  const join = useEffectEvent(() => onJoin(invitation));
  useEffect(() => join(), []);
  return null;
}

export function JoinPage({ token, member, onJoin, onSignUp }: Props) {
  const query = useInvitation("/join", token);
  useTitle(words.title);
  return (
    <LinkAsked
      query={query}
      over={member === null ? <Over onSignUp={onSignUp} /> : <IsIn member={member} inviter="" />}
    >
      {(invitation) =>
        member === null ? (
          <Joining invitation={invitation} onJoin={onJoin} />
        ) : (
          <IsIn member={member} inviter={invitation.inviterName} />
        )
      }
    </LinkAsked>
  );
}
