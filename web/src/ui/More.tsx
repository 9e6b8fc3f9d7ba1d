// The actions of a screen beside its main ones: behind one button, in a sheet.
import { Button } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { type ReactNode, useRef, useState } from "react";
import { rememberFocus } from "./focus";
import { Sheet } from "./Sheet";
import "./styles/more.css";
import { moreWords as words } from "./moreWords";

export type Deed = {
  label: string;
  icon?: ReactNode;
  isDestructive: boolean;
  isBusy: boolean;
  act: () => void;
};

type Props = { deeds: readonly Deed[]; size: "md" | "lg"; className?: string | undefined };

export function More({ deeds, size, className = "" }: Props) {
  const [isOpen, setOpen] = useState(false);
  const giveBack = useRef<() => void>(undefined);

  function open(): void {
    giveBack.current = rememberFocus();
    setOpen(true);
  }

  function close(): void {
    setOpen(false);
    giveBack.current?.();
  }

  function take(act: () => void): void {
    close();
    // The button has the focus again first: what opens next gives it back to that.
    setTimeout(act);
  }

  return (
    <>
      <Button
        className={`more ${className}`}
        size={size}
        variant="default"
        leftSection={<IconDots size={20} />}
        aria-haspopup="dialog"
        loading={deeds.some(({ isBusy }) => isBusy)}
        onClick={open}
      >
        {words.more}
      </Button>
      {isOpen && (
        <Sheet opened onClose={close} title={words.more} skeleton={null}>
          <div className="stack s">
            {deeds.map(({ label, icon, isDestructive, act }) => (
              <Button
                key={label}
                variant="default"
                fullWidth
                c={isDestructive ? "var(--gt-no-fg)" : undefined}
                leftSection={icon}
                onClick={() => take(act)}
              >
                {label}
              </Button>
            ))}
          </div>
        </Sheet>
      )}
    </>
  );
}
