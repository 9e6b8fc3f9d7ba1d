// A link that does not count any more: what that means, and the way on.
import { Button } from "@mantine/core";
import { Link } from "wouter";
import { LinkHead } from "./LinkHead";
import { linkWords as words } from "./linkWords";

export function LinkOver() {
  return (
    <>
      <LinkHead title={words.over} text={words.overText} />
      <Button component={Link} href="/" size="lg" fullWidth>
        {words.toStart}
      </Button>
    </>
  );
}
