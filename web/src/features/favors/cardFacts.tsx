// The facts of a favor in a list: when it starts, by when it is answered, and whom a draft will ask.
import { IconCalendarEvent, IconClockHour4, IconUsers } from "@tabler/icons-react";
import type { Favor } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { part } from "../../lib/parts";
import { nearTime, toDate } from "../../lib/times";
import type { Fact } from "../../ui/Facts";
import { Piece } from "../../ui/Piece";
import { cardWords } from "./cardWords";
import { choosesWhom } from "./queries";

const DraftAsked = part(() => import("./DraftAsked").then((m) => m.DraftAsked));

export function factsOf(favor: Favor, now: Date): Fact[] {
  const start = toDate(favor.startDate);
  const confirmBy = toDate(favor.confirmationDate);
  const facts: Fact[] = [
    {
      label: cardWords.start,
      value: start === undefined ? cardWords.notSpecified : nearTime(start, now),
      icon: <IconCalendarEvent size={18} aria-hidden="true" />,
    },
  ];
  if (confirmBy !== undefined)
    facts.push({
      label: cardWords.confirmBy,
      value: nearTime(confirmBy, now),
      icon: <IconClockHour4 size={18} aria-hidden="true" />,
    });
  if (choosesWhom(favor))
    facts.push({
      label: cardWords.willAsk,
      value: (
        <Piece skeleton={null}>
          <DraftAsked draft={favor} />
        </Piece>
      ),
      icon: <IconUsers size={18} aria-hidden="true" />,
    });
  return facts;
}
