// What is left of a screen that cannot be shown.
import { ActionIcon } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useLocation } from "wouter";
import { useBack } from "../lib/back";
import type { Member } from "../lib/session";
import { words as brandWords } from "../ui/shellWords";
import { HomeHead } from "./HomeTop";
import { isRoute } from "./paths";
import { Head } from "./Waiting";

/** What stays of a screen that broke, or could not be loaded: its heading, and the way back. */
export function BrokenHead({ member }: { member: Member }) {
  const [path] = useLocation();
  const back = useBack();
  // A path without a page has no heading of its own.
  if (path === "/" || !isRoute(path)) return <HomeHead member={member}>{null}</HomeHead>;
  const close = (
    <ActionIcon aria-label={brandWords.close} onClick={() => back("/")}>
      <IconX />
    </ActionIcon>
  );
  return <Head path={path} aside={close} />;
}
