// The dialog of a question. Loaded when the first one is asked.
import { Button, Modal } from "@mantine/core";
import type { Asked } from "./confirm";

export default function ConfirmDialog({ opened, asked }: { opened: boolean; asked: Asked }) {
  const { title, text, yes, no = "Cancel", destructive = false, cancelStandsOut = false, answer } = asked;
  return (
    <Modal opened={opened} onClose={() => answer(false)} title={title} size={420} withCloseButton={false}>
      <p className="dim">{text}</p>
      <div className="row s" style={{ marginTop: 24 }}>
        <Button
          variant="default"
          fullWidth
          data-autofocus
          c={cancelStandsOut ? "var(--gt-no-fg)" : undefined}
          onClick={() => answer(false)}
        >
          {no}
        </Button>
        <Button fullWidth color={destructive ? "red" : "green"} onClick={() => answer(true)}>
          {yes}
        </Button>
      </div>
    </Modal>
  );
}
