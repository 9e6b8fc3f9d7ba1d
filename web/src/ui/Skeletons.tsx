// Skeletons in the real shape of what will stand there, so that nothing jumps when it arrives.
import { Skeleton } from "@mantine/core";

export function Waiting({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div role="status" aria-label={label} className="stack">
      {children}
      {/* Below, so that nothing moves when it goes. */}
      <p className="dim t14 center">{label}</p>
    </div>
  );
}

export const times = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

const badges = (
  <div className="row between">
    <Skeleton w={108} h={28} radius={8} />
    <Skeleton w={88} h={28} radius={8} />
  </div>
);

export function CardSkeletons({ label, count = 2 }: { label: string; count?: number }) {
  return (
    <Waiting label={label}>
      {times(count).map((i) => (
        <div key={i} className="card stack">
          {badges}
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

/** `high`: as rows with a tile are. */
export function Rows({ count, high }: { count: number; high?: boolean }) {
  return (
    <div className="card flush list">
      {times(count).map((i) => (
        <div key={i} className={high ? "rowshape" : ""}>
          <Skeleton circle height={44} />
          <div className="grow stack s">
            <Skeleton h={16} w="45%" />
            <Skeleton h={14} w="65%" />
          </div>
        </div>
      ))}
    </div>
  );
}

export function RowSkeletons({ label, count = 4 }: { label: string; count?: number }) {
  return (
    <Waiting label={label}>
      <Rows count={count} />
    </Waiting>
  );
}

/** Sections of a screen, each a heading and so many rows. */
export function SectionSkeletons({ label, rows }: { label: string; rows: readonly number[] }) {
  return (
    <Waiting label={label}>
      <div className="stack l">
        {times(rows.length).map((i) => (
          <div key={i}>
            <div className="sec">
              <Skeleton h={20} w={140} />
            </div>
            <Rows count={rows[i] ?? 0} high />
          </div>
        ))}
      </div>
    </Waiting>
  );
}

/** A list in groups, of which the first one's name is not known yet. */
export function GroupSkeletons({ label }: { label: string }) {
  return (
    <Waiting label={label}>
      <div>
        <div className="row nameshape">
          <Skeleton h={16} w={64} />
        </div>
        <Rows count={4} high />
      </div>
    </Waiting>
  );
}

export function DetailSkeleton({ label }: { label: string }) {
  return (
    <Waiting label={label}>
      {badges}
      <Skeleton h={28} w="75%" />
      <Skeleton h={48} />
      <Skeleton h={206} radius={16} />
      <Skeleton h={24} w={140} />
      <Skeleton h={120} />
    </Waiting>
  );
}

/** A form under a face with its buttons, as that of a profile. */
export function FormSkeleton({ label }: { label: string }) {
  return (
    <Waiting label={label}>
      <Skeleton h={170} radius={16} />
      <Skeleton h={20} w={140} mt={12} />
      {times(4).map((i) => (
        <Skeleton key={i} h={72} mb={8} />
      ))}
    </Waiting>
  );
}
