// What stands in the sheet of a member: what one can do about them, or the report of them.
import { PersonActions } from "./PersonActions";
import type { Somebody } from "./PersonSheet";
import { ReportMember } from "./ReportMember";

type Props = { me: string; who: Somebody; reports: boolean; onReport: () => void; onDone: () => void };

export function About({ me, who, reports, onReport, onDone }: Props) {
  return reports ? (
    <ReportMember me={me} who={who} onSent={onDone} />
  ) : (
    <PersonActions who={who} onReport={onReport} onDone={onDone} />
  );
}
