// A report of a problem, to those who run the server.
import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { ProfileService } from "../../gen/later/goodturn/profile/v1/profile_service_pb";
import { byKey } from "../../lib/keys";
import { ReportForm } from "../../ui/ReportForm";
import { REPORT_LENGTH_MAX, reportWords as words } from "./reportWords";

export function ReportSheet({ me, onSent }: { me: string; onSent: () => void }) {
  const client = createClient(ProfileService, useTransport());
  return (
    <ReportForm
      me={me}
      form="report"
      words={words}
      texts={{ RATE_LIMITED: words.tooOften }}
      lengthMax={REPORT_LENGTH_MAX}
      send={(message, key) => client.reportProblem({ message }, byKey(key))}
      onSent={onSent}
    />
  );
}
