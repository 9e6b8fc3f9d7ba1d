// Ends invitations to an address, and takes that back.
import { Button } from "@mantine/core";
import { Link } from "wouter";
import { isOver } from "../../lib/links";
import { useTitle } from "../../lib/title";
import { Form } from "../../ui/Form";
import { filled } from "../../ui/filled";
import { LinkAsked } from "../../ui/LinkAsked";
import { LinkHead } from "../../ui/LinkHead";
import { LinkOver } from "../../ui/LinkOver";
import { linkWords } from "../../ui/linkWords";
import { failureOf, StopPage } from "../../ui/StopPage";
import { Words } from "../../ui/Words";
import { useAllow, useDecline, useInvitation } from "./queries";
import { words as all } from "./words";

const words = all.decline;

function Allowed() {
  return (
    <>
      <LinkHead title={words.allowed} text={words.allowedText} />
      <Button component={Link} href="/" size="lg" fullWidth>
        {linkWords.toStart}
      </Button>
    </>
  );
}

type Props = { token: string; email: string; declined: boolean };

function Asked({ token, email, declined }: Props) {
  const [stop, allow] = [useDecline(), useAllow()];
  if (isOver(allow.error)) return <LinkOver />;
  if (allow.isSuccess) return <Allowed />;
  const address = (
    <b className="breakable ink">
      <Words>{email}</Words>
    </b>
  );
  return (
    <StopPage
      token={token}
      words={words}
      text={email === "" ? words.textUnknown : filled(words.text, address)}
      isOver={declined}
      stop={stop}
      after={
        <Form
          send={words.allow}
          busy={allow.isPending}
          onSend={() => allow.mutate(token)}
          failed={linkWords.notSaved}
          failure={failureOf(allow.error)}
        />
      }
    />
  );
}

export function DeclinePage({ token }: { token: string }) {
  const query = useInvitation("/no-invitations", token);
  useTitle(words.title);
  return (
    <LinkAsked query={query}>
      {({ email, declined }) => <Asked token={token} email={email} declined={declined} />}
    </LinkAsked>
  );
}
