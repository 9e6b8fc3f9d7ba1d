// The other time that the member proposed, while it waits for the creator.
import { IconCalendarPlus } from "@tabler/icons-react";
import type { Recipient } from "../../gen/later/goodturn/favors/v1/favors_service_pb";
import { exactTime, toDate, useNow } from "../../lib/times";
import { Note } from "../../ui/Pieces";
import { Words } from "../../ui/Words";
import { browseWords } from "./browseWords";
import { offerWords } from "./offerWords";
import { storyWords } from "./storyWords";
import { words } from "./words";

/** `mine` is unknown until the story is loaded. */
export function MyProposal({ mine }: { mine: Recipient | undefined }) {
  const now = useNow();
  const start = toDate(mine?.proposedStart);
  const isPast = start !== undefined && start < now;
  return (
    <Note
      tone="wait"
      icon={<IconCalendarPlus size={20} />}
      title={start === undefined ? browseWords.youProposed : storyWords.youProposed(exactTime(start, now))}
    >
      {mine !== undefined && mine.message !== "" && (
        <p className="prewrap breakable">
          <Words>{mine.message}</Words>
        </p>
      )}
      <p>{isPast ? offerWords.hasPassed : words.proposalWaits}</p>
    </Note>
  );
}
