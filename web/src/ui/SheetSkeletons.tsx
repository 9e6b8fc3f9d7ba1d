// Skeletons of what comes later: the story of a favor, the calendar. Apart from those that stand there first.
import { Skeleton } from "@mantine/core";
import { times, Waiting } from "./Skeletons";

export function StorySkeleton({ label }: { label: string }) {
  return (
    <Waiting label={label}>
      {times(2).map((i) => (
        <div key={i} className="row start">
          <Skeleton circle height={32} />
          <div className="grow stack s">
            <Skeleton h={16} w="55%" />
            <Skeleton h={14} w="35%" />
          </div>
        </div>
      ))}
    </Waiting>
  );
}

/** A month, a time and the bar under them. */
export function CalendarSkeleton({ label }: { label: string }) {
  return (
    <Waiting label={label}>
      <Skeleton h={44} />
      <Skeleton h={290} />
      <div className="row wraps">
        <Skeleton h={52} miw="13rem" className="grow" />
        <Skeleton h={52} miw="9rem" className="grow" />
      </div>
      <Skeleton h={52} />
    </Waiting>
  );
}
