// One rental: the item and the other side, its days and price, how it was handed over and given back, its story, and what can be done now.
import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { hasReason } from "../../lib/errors";
import { useTitle } from "../../lib/title";
import { NotFound } from "../../ui/illustrations";
import { Loaded } from "../../ui/Loaded";
import { EmptyState } from "../../ui/Pieces";
import { ScreenHead } from "../../ui/ScreenHead";
import { DetailSkeleton } from "../../ui/Skeletons";
import { requestsPath } from "./paths";
import { useRental } from "./queries";
import { RentalDetails } from "./RentalDetails";
import { words } from "./words";

function Contents({ id, me }: { id: string; me: string }): ReactNode {
  const query = useRental(id);
  // What is no id names none.
  if (hasReason(query.error, "NOT_FOUND", "INVALID_ARGUMENT"))
    return (
      <EmptyState
        drawing={<NotFound size={200} />}
        title={words.gone}
        action={
          <Button component={Link} href={requestsPath()} variant="light">
            {words.seeRequest}
          </Button>
        }
      >
        {words.goneText}
      </EmptyState>
    );
  return (
    <Loaded query={query} skeleton={<DetailSkeleton label={words.loadingRental} />} failed={words.failed}>
      {(rental) => rental !== undefined && <RentalDetails key={rental.requestId} rental={rental} me={me} />}
    </Loaded>
  );
}

export function RentalScreen({ id, me }: { id: string; me: string }) {
  useTitle(words.title);
  return (
    <>
      <ScreenHead title={words.title} back={words.back} otherwise={requestsPath()} />
      <Contents id={id} me={me} />
    </>
  );
}
