// A link that does not count any more: what that means, and the way on.
import { Button } from "@mantine/core";
import { Link } from "wouter";
import { Head } from "./Head";
import { words } from "./words";

export function LinkOver() {
  return (
    <>
      <Head title={words.over} text={words.overText} />
      <Button component={Link} href="/" size="lg" fullWidth>
        {words.toStart}
      </Button>
    </>
  );
}
