// The states of a link that is looked at: on its way, failed, over, or about something.
import { Skeleton } from "@mantine/core";
import type { ReactNode } from "react";
import { type Asked, Loaded } from "./Loaded";
import { LinkOver } from "./LinkOver";
import { linkWords as words } from "./linkWords";
import { Waiting } from "./Skeletons";

type Props<T> = { query: Asked<T | null>; over?: ReactNode; children: (link: T) => ReactNode };

export function LinkAsked<T>({ query, over, children }: Props<T>) {
  return (
    <Loaded
      query={query}
      skeleton={
        <Waiting label={words.loading}>
          <Skeleton h={36} w="80%" />
          <Skeleton h={48} mb={12} />
          <Skeleton h={52} />
        </Waiting>
      }
      failed={words.failed}
    >
      {(link) => (link === null ? (over ?? <LinkOver />) : children(link))}
    </Loaded>
  );
}
