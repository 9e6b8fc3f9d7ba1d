// What somebody needs who pays without the app being opened for them: to whom, how much, and on a desk the way to the phone.
import { Button } from "@mantine/core";
import { IconAlertCircle, IconExternalLink } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { Copy } from "../../ui/Copy";
import { Note } from "../../ui/Pieces";
import { QrCode } from "../../ui/QrCode";
import { tipOf } from "./look";
import { amountIn, type Due, type Service, webLinkOf } from "./pay";
import { payWords } from "./payWords";

type Props = {
  service: Service;
  due: Due;
  /** It was tried, and did not open. */
  isRefused: boolean;
  desktop: boolean;
};

type LineProps = { label: string; value: string; copied: string; copy: string };

function Line({ label, value, copied, copy }: LineProps) {
  return (
    <div>
      <dt className="dim t14">{label}</dt>
      <dd className="row wraps">
        <span className="grow b6 breakable">{value}</span>
        <Copy text={copied} label={copy} />
      </dd>
    </div>
  );
}

export default function PayByHand({ service, due, isRefused, desktop }: Props) {
  const link = webLinkOf(service, due);
  const card = useRef<HTMLDivElement>(null);
  // It opens under what was pressed, where the bar may be.
  useEffect(() => {
    card.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <div className="card stack" ref={card}>
      {isRefused && (
        <Note tone="wait" role="status" icon={<IconAlertCircle size={20} />} title={payWords.notOpened[service]}>
          <p>{payWords.byHand[service](due.handle, tipOf(due))}</p>
        </Note>
      )}
      <div className="row wraps payqr">
        {desktop && (
          <div className="stack s">
            <p className="b6">{payWords.scan}</p>
            <QrCode text={link} label={payWords.picture[service]} />
          </div>
        )}
        <dl className="grow stack">
          <Line
            label={payWords.username[service]}
            value={`@${due.handle}`}
            copied={due.handle}
            copy={payWords.copyUsername}
          />
          <Line label={payWords.amount} value={tipOf(due)} copied={amountIn(due.tip)} copy={payWords.copyAmount} />
        </dl>
      </div>
      {(desktop || isRefused) && (
        <Button
          component="a"
          href={link}
          target="_blank"
          rel="noopener noreferrer"
          variant="light"
          leftSection={<IconExternalLink size={20} />}
        >
          {payWords.openIn[service]}
        </Button>
      )}
    </div>
  );
}
