// Ends invitations to an address.
import { useTitle } from "../../lib/title";
import { LinkAsked } from "../../ui/LinkAsked";
import { filled } from "../../ui/filled";
import { StopPage } from "../../ui/StopPage";
import { Words } from "../../ui/Words";
import { useDecline, useInvitation } from "./queries";
import { words as all } from "./words";

const words = all.decline;

export function DeclinePage({ token }: { token: string }) {
  const query = useInvitation("/no-invitations", token);
  const stop = useDecline();
  useTitle(words.title);
  return (
    <LinkAsked query={query}>
      {({ email }) => {
        const address = (
          <b className="breakable ink">
            <Words>{email}</Words>
          </b>
        );
        const text = email === "" ? words.textUnknown : filled(words.text, address);
        return <StopPage token={token} words={words} text={text} stop={stop} />;
      }}
    </LinkAsked>
  );
}
