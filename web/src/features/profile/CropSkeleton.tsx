// Stands in the place of what crops a picture, until that has come.
import { Skeleton } from "@mantine/core";
import { Waiting } from "../../ui/Skeletons";
import { pictureWords as words } from "./words";

export function CropSkeleton() {
  return (
    <Waiting label={words.opening}>
      <Skeleton className="crop" />
      <Skeleton h={44} />
      <Skeleton h={52} />
    </Waiting>
  );
}
