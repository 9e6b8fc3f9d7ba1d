// Items that are out and open payments, for a member who is about to close their account. Renders nothing before they are known.
import { IconCoins } from "@tabler/icons-react";
import { Note } from "../../ui/Pieces";
import { Rows } from "./DueList";
import { openWithOthers, SHOWN_MAX } from "./planned";
import { usePlannedRentals } from "./queries";
import { dueWords } from "./words";

export function OpenWithOthers({ me }: { me: string }) {
  const { data } = usePlannedRentals();
  if (data === undefined) return null;
  const open = openWithOthers(data, me);
  if (open.length === 0) return null;
  const title = dueWords.stillOpen(open.length);
  return (
    <div className="stack s">
      <Note tone="wait" role="status" icon={<IconCoins size={20} aria-hidden="true" />} title={title}>
        <p>{dueWords.settleFirst(open.length)}</p>
      </Note>
      <Rows planned={open.slice(0, SHOWN_MAX)} label={title} />
    </div>
  );
}
