// How far the picture is on its way, and the way to stop it.
import { Button } from "@mantine/core";
import { IconUpload } from "@tabler/icons-react";
import { Note } from "../../ui/Pieces";
import { useSending } from "./upload";
import { pictureWords as words } from "./words";

export function SendingPicture() {
  const sending = useSending();
  if (sending === null) return null;
  return (
    <Note tone="wait" role="status" icon={<IconUpload size={20} />}>
      <div className="said">
        <span className="grow">
          {words.sending}
          <progress className="sent" aria-label={words.sending} max={1} value={sending.part} />
        </span>
        <Button variant="default" onClick={sending.stop}>
          {words.stop}
        </Button>
      </div>
    </Note>
  );
}
