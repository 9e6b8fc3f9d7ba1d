// Skeletons in the real shape of what will stand there, so that nothing jumps when it arrives.
import { Skeleton } from "@mantine/core";

function Waiting({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div role="status" aria-label={label} className="stack">
      {children}
      {/* Below, so that nothing moves when it goes. */}
      <p className="dim t14 center">{label}</p>
    </div>
  );
}

const times = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

export function CardSkeletons({ label, count = 2 }: { label: string; count?: number }) {
  return (
    <Waiting label={label}>
      {times(count).map((i) => (
        <div key={i} className="card stack">
          <div className="row between">
            <Skeleton w={108} h={28} radius={8} />
            <Skeleton w={88} h={28} radius={8} />
          </div>
          <Skeleton h={20} w="70%" />
          <div className="stack s">
            <Skeleton h={14} />
            <Skeleton h={14} w="80%" />
          </div>
          <div className="stack s">
            <Skeleton h={16} w="55%" />
            <Skeleton h={16} w="60%" />
          </div>
        </div>
      ))}
    </Waiting>
  );
}

export function RowSkeletons({ label, count = 4 }: { label: string; count?: number }) {
  return (
    <Waiting label={label}>
      <div className="card flush list">
        {times(count).map((i) => (
          <div key={i}>
            <Skeleton circle height={44} />
            <div className="grow stack s">
              <Skeleton h={16} w="45%" />
              <Skeleton h={14} w="65%" />
            </div>
          </div>
        ))}
      </div>
    </Waiting>
  );
}

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

export function DetailSkeleton({ label }: { label: string }) {
  return (
    <Waiting label={label}>
      <div className="row between">
        <Skeleton w={108} h={28} radius={8} />
        <Skeleton w={88} h={28} radius={8} />
      </div>
      <Skeleton h={28} w="75%" />
      <Skeleton h={48} />
      <Skeleton h={206} radius={16} />
      <Skeleton h={24} w={140} />
      <Skeleton h={120} />
    </Waiting>
  );
}

/** What is typed in a sheet, with its bar. */
export function FieldSkeleton({ label }: { label: string }) {
  return (
    <Waiting label={label}>
      <Skeleton h={20} w="45%" />
      <Skeleton h={96} />
      <Skeleton h={44} />
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
