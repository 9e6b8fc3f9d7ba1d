// A report of a member, to those who run the server.
import { ReportForm } from "../../ui/ReportForm";
import { useReport } from "./away";
import { awayWords as words, REASON_LENGTH_MAX } from "./awayWords";
import { Person } from "./Person";
import type { Somebody } from "./PersonSheet";

export function ReportMember({ me, who, onSent }: { me: string; who: Somebody; onSent: () => void }) {
  const send = useReport(who.uid);
  return (
    <div className="stack f">
      <Person who={who} />
      <ReportForm
        me={me}
        form={`report ${who.uid}`}
        words={words.reports}
        texts={{ RATE_LIMITED: words.reportTooOften, NOT_FOUND: words.gone }}
        lengthMax={REASON_LENGTH_MAX}
        send={send}
        onSent={onSent}
      />
    </div>
  );
}
