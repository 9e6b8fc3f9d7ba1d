// How the creator pays the tip: with the accounts that the helper has set up. Loaded where there is one to be paid.
import { Button, Skeleton } from "@mantine/core";
import { IconAlertCircle, IconCreditCard, IconDeviceMobile } from "@tabler/icons-react";
import { type ReactNode, useEffect, useState } from "react";
import type { Person } from "../../gen/goodturn/common/v1/person_pb";
import type { Favor } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { amountOf } from "../../lib/money";
import { firstNameWithin } from "../../lib/names";
import { part } from "../../lib/parts";
import { words as moneyWords } from "../../lib/words";
import { Face } from "../../ui/Face";
import { Failed } from "../../ui/Failed";
import { filled } from "../../ui/filled";
import { Loaded } from "../../ui/Loaded";
import { Piece } from "../../ui/Piece";
import { Note } from "../../ui/Pieces";
import "../../ui/styles/payment.css";
import { useDesktop } from "../../ui/useDesktop";
import { usePaymentInfo } from "./laterQueries";
import { codeOf } from "./look";
import { openApp, openPage } from "./opening";
import { appLinkOf, type Due, type Service, SERVICES, takes } from "./pay";
import { payWords } from "./payWords";

const PayByHand = part(() => import("./PayByHand").then((m) => m.default));

const icons: Record<Service, ReactNode> = {
  venmo: <IconDeviceMobile size={20} />,
  paypal: <IconCreditCard size={20} />,
};

/** What came of choosing a service. */
type Way = { service: Service; kind: "unavailable" | "byHand" | "notOpened" | "failed" };

type WaysProps = { favor: Favor; name: string; handles: Record<Service, string> };

function Unavailable({ service, favor, name, handles }: WaysProps & { service: Service }) {
  const why =
    handles[service] === "" ? payWords.notSetUp[service](name) : payWords.otherCurrency(codeOf(favor.currency));
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
  const { favor, handles } = props;
  const dueOf = (service: Service): Due => {
    const { tip, currency, title } = favor;
    return { handle: handles[service], tip, currency, note: title };
  };
  const { way, busy, pay, desktop } = usePaying(dueOf);
  const main = SERVICES.find((service) => handles[service] !== "" && takes(service, favor.currency));
  return (
    <>
      {SERVICES.map((service) => (
        <Button
          key={service}
          size="lg"
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
            isRefused={way.kind === "notOpened"}
            desktop={desktop}
          />
        </Piece>
      )}
    </>
  );
}

/** `helper` is who is paid: the first recipient. */
export default function Payment({ favor, helper }: { favor: Favor; helper: Person }) {
  const name = firstNameWithin(helper.displayName);
  const code = codeOf(favor.currency);
  return (
    <section className="pay stack" aria-label={payWords.heading}>
      <div className="row">
        <Face person={helper} size={48} />
        <div className="grow">
          <h2 className="t14">{payWords.thank(name)}</h2>
          <p className="amount">
            {filled(moneyWords.money, amountOf(favor.tip, code), <small key={code}>{code}</small>)}
          </p>
        </div>
      </div>
      <Loaded
        query={usePaymentInfo(helper.uid)}
        skeleton={
          <div role="status" aria-label={payWords.loading} className="stack s">
            <Skeleton h={52} radius={12} />
            <Skeleton h={52} radius={12} />
          </div>
        }
        failed={payWords.loadFailed}
        small
      >
        {(handles) => <Ways favor={favor} name={name} handles={handles} />}
      </Loaded>
    </section>
  );
}
