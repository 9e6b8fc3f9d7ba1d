// Says quietly of an item that pictures are still sent to it.
import { IconUpload } from "@tabler/icons-react";
import { imageWords } from "./imageWords";
import { useComing } from "./pictures";

export function OnTheWay({ id }: { id: string }) {
  const count = useComing(id);
  if (count === 0) return null;
  return (
    <p className="row xs dim t14">
      <IconUpload size={16} aria-hidden="true" />
      {imageWords.onTheWay(count)}
    </p>
  );
}
