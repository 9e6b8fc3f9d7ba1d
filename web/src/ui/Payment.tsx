// The panel that pays another member by the services they have set up. Loaded on demand.
import { Button, Skeleton } from "@mantine/core";
import { IconAlertCircle, IconCreditCard, IconDeviceMobile } from "@tabler/icons-react";
import { type ReactNode, useEffect, useState } from "react";
import { amountOf, type Currency } from "../lib/money";
import { firstNameWithin } from "../lib/names";
import { openApp, openPage } from "../lib/opening";
import { part } from "../lib/parts";
import { appLinkOf, type Due, type Handles, type Service, SERVICES, takes } from "../lib/pay";
import { usePaymentInfo } from "../lib/paymentInfo";
import { words as moneyWords } from "../lib/words";
import { Face, type Named } from "./Face";
import { Failed } from "./Failed";
import { filled } from "./filled";
import { Loaded } from "./Loaded";
import type { ByHand } from "./PayByHand";
import { payWords } from "./payWords";
import { Piece } from "./Piece";
import { Note } from "./Pieces";
import "./styles/payment.css";
import { useDesktop } from "./useDesktop";

const PayByHand = part(() => import("./PayByHand").then((m) => m.default));

const icons: Record<Service, ReactNode> = {
  venmo: <IconDeviceMobile size={20} />,
  paypal: <IconCreditCard size={20} />,
};

/** What came of choosing a service. */
type Way = { service: Service; kind: "unavailable" | "byHand" | "notOpened" | "failed" };

/** The texts that depend on what is paid for. */
export type Said = {
  /** The accessible name of the panel. */
  label: string;
  title: ReactNode;
  /** What the amount is made of; absent if it is one thing. */
  parts?: string;
  otherCurrency: (currency: string) => string;
  byHand: ByHand;
  /** How to pay somebody who uses neither service. */
  otherWay: (name: string) => string;
};

/** `person` is the payee. `note` appears in both accounts. */
type Payable = { person: Named & { uid: string }; amount: number; currency: Currency; note: string };

type WaysProps = Pick<Payable, "amount" | "currency" | "note"> & { name: string; handles: Handles; said: Said };

function Unavailable({ service, currency, name, handles, said }: WaysProps & { service: Service }) {
  const why = handles[service] === "" ? payWords.notSetUp[service](name) : said.otherCurrency(currency);
  return (
    <Note tone="idle" role="status" icon={<IconAlertCircle size={20} />} title={payWords.notAvailable}>
      <p>{why}</p>
    </Note>
  );
}

/** Opens the service: its app, where it is one of the phone's. */
async function opens(service: Service, due: Due): Promise<boolean> {
  const link = appLinkOf(service, due);
  return service === "venmo" ? openApp(link) : openPage(link);
}

/** The way that was chosen, and how it went. */
function usePaying(dueOf: (service: Service) => Due) {
  const desktop = useDesktop();
  const [way, setWay] = useState<Way | null>(null);
  const [busy, setBusy] = useState<Service | null>(null);

  // An app may come up later, as after a question of the browser's.
  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState === "hidden")
        setWay((was) => (was?.kind === "notOpened" ? { ...was, kind: "byHand" } : was));
    };
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);

  async function pay(service: Service): Promise<void> {
    const due = dueOf(service);
    if (due.handle === "" || !takes(service, due.currency)) return setWay({ service, kind: "unavailable" });
    // A desk has no such app: it shows the way to the phone.
    if (desktop) return setWay({ service, kind: "byHand" });
    setWay(null);
    setBusy(service);
    const kind = await opens(service, due).then(
      (isOpen) => (isOpen ? ("byHand" as const) : ("notOpened" as const)),
      () => "failed" as const,
    );
    setBusy(null);
    return setWay({ service, kind });
  }

  return { way, busy, pay, desktop };
}

function Ways(props: WaysProps) {
  const { amount, currency, note, name, handles, said } = props;
  const dueOf = (service: Service): Due => ({ handle: handles[service], amount, currency, note });
  const { way, busy, pay, desktop } = usePaying(dueOf);
  const main = SERVICES.find((service) => handles[service] !== "" && takes(service, currency));
  const isSetUp = SERVICES.some((service) => handles[service] !== "");
  return (
    <>
      {!isSetUp && <p>{said.otherWay(name)}</p>}
      {SERVICES.map((service) => (
        <Button
          key={service}
          size={isSetUp ? "lg" : "md"}
          fullWidth
          variant={service === main ? "filled" : "default"}
          leftSection={icons[service]}
          loading={busy === service}
          onClick={() => void pay(service)}
        >
          {payWords.payWith[service]}
        </Button>
      ))}
      {way?.kind === "unavailable" && <Unavailable {...props} service={way.service} />}
      {way?.kind === "failed" && (
        <Failed text={payWords.openFailed} isLost={false} onRetry={() => void pay(way.service)} />
      )}
      {way !== null && way.kind !== "unavailable" && (
        <Piece skeleton={<Skeleton h={120} />}>
          <PayByHand
            key={way.service}
            service={way.service}
            due={dueOf(way.service)}
            byHand={said.byHand}
            isRefused={way.kind === "notOpened"}
            desktop={desktop}
          />
        </Piece>
      )}
    </>
  );
}

export default function Payment({ person, said, ...what }: Payable & { said: Said }) {
  const { amount, currency } = what;
  return (
    <section className="pay stack" aria-label={said.label}>
      <div className="row">
        <Face person={person} size={48} />
        <div className="grow">
          <h2 className="t14 breakable">{said.title}</h2>
          <p className="amount">
            {filled(moneyWords.money, amountOf(amount, currency), <small key={currency}>{currency}</small>)}
          </p>
          {said.parts !== undefined && <p className="t14 num">{said.parts}</p>}
        </div>
      </div>
      <Loaded
        query={usePaymentInfo(person.uid)}
        skeleton={
          <div role="status" aria-label={payWords.loading} className="stack s">
            <Skeleton h={52} radius={12} />
            <Skeleton h={52} radius={12} />
          </div>
        }
        failed={payWords.loadFailed}
        small
      >
        {(handles) => <Ways {...what} name={firstNameWithin(person.displayName)} handles={handles} said={said} />}
      </Loaded>
    </section>
  );
}
