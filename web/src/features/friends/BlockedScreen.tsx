// Whom a member has blocked.
import { Button } from "@mantine/core";
import { Link } from "wouter";
import { useTitle } from "../../lib/title";
import { NoFriends } from "../../ui/illustrations";
import { EmptyState } from "../../ui/Pieces";
import { ScreenHead } from "../../ui/ScreenHead";
import { AwayList } from "./AwayList";
import { useBlock, useBlocked, useUnblock } from "./away";
import { awayWords as words } from "./awayWords";

function Nobody() {
  return (
    <EmptyState
      drawing={<NoFriends size={200} />}
      title={words.nobodyBlocked}
      action={
        <Button component={Link} href="/friends/mine" variant="light">
          {words.myFriends}
        </Button>
      }
    >
      {words.nobodyBlockedText}
    </EmptyState>
  );
}

export function BlockedScreen() {
  const [block, unblock] = [useBlock(), useUnblock()];
  useTitle(words.blockedTitle);
  return (
    <div className="narrow">
      <ScreenHead title={words.blockedTitle} back={words.settings} otherwise="/settings" />
      <div className="stack">
        <p className="dim">{words.blockedSub}</p>
        <AwayList
          label={words.blockedTitle}
          query={useBlocked()}
          loading={words.loadingBlocked}
          failed={words.blockedUnknown}
          empty={<Nobody />}
          since={words.blockedSince}
          into={{
            act: words.block,
            name: words.whom.block,
            done: words.blockedAgain,
            failed: words.blockFailed,
            limit: words.blockLimit,
            deed: block,
          }}
          out={{
            act: words.unblock,
            name: words.whom.unblock,
            done: words.unblocked,
            failed: words.unblockFailed,
            limit: words.blockLimit,
            deed: unblock,
          }}
        />
      </div>
    </div>
  );
}
