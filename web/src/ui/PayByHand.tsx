// What somebody needs who pays without the app being opened for them: to whom, how much, and on a desk the way to the phone.
import { Button } from "@mantine/core";
import { IconAlertCircle, IconExternalLink } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { moneyOf } from "../lib/money";
import { amountIn, type Due, type Service, webLinkOf } from "../lib/pay";
import { Copy } from "./Copy";
import { payWords } from "./payWords";
import { Note } from "./Pieces";
import { QrCode } from "./QrCode";

/** The instructions for paying by hand, for each service. */
export type ByHand = Record<Service, (username: string, amount: string) => string>;

type Props = {
  service: Service;
  due: Due;
  byHand: ByHand;
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

export default function PayByHand({ service, due, byHand, isRefused, desktop }: Props) {
  const amount = moneyOf(due.amount, due.currency);
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
          <p>{byHand[service](due.handle, amount)}</p>
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
          <Line label={payWords.amount} value={amount} copied={amountIn(due.amount)} copy={payWords.copyAmount} />
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
