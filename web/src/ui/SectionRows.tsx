import { Rows } from "./Skeletons";

/** What stands under the heading of a section that is there already. */
export function SectionRows({ label, count = 1 }: { label: string; count?: number }) {
  return (
    <div role="status" aria-label={label}>
      <Rows count={count} high />
    </div>
  );
}
