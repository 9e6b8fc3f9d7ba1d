// The member's open payments, for whoever is about to close their account. Renders nothing before they are known.
import { IconCoins } from "@tabler/icons-react";
import { Note } from "../../ui/Pieces";
import { Rows } from "./DueList";
import { allOpenPayments, SHOWN_MAX } from "./planned";
import { usePlannedRentals } from "./queries";
import { dueWords } from "./words";

export function OpenPayments({ me }: { me: string }) {
  const { data } = usePlannedRentals();
  if (data === undefined) return null;
  const open = allOpenPayments(data, me);
  if (open.length === 0) return null;
  const title = dueWords.openPayments(open.length);
  return (
    <div className="stack s">
      <Note tone="wait" role="status" icon={<IconCoins size={20} aria-hidden="true" />} title={title}>
        <p>{dueWords.settleFirst(open.length)}</p>
      </Note>
      <Rows planned={open.slice(0, SHOWN_MAX)} label={title} />
    </div>
  );
}
