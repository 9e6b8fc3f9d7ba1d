import { Skeleton } from "@mantine/core";
import { Waiting } from "./Skeletons";

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
