// The terms and the privacy policy, which can be read before signing up.
import { Button } from "@mantine/core";
import { Link } from "wouter";
import { PrivacyPage, TermsPage } from "../features/settings/Topics";
import { useTitle } from "../lib/title";
import { LinkHead } from "../ui/LinkHead";
import { linkWords } from "../ui/linkWords";
import { legalWords as words } from "./beyondWords";

const PATHS = ["/terms", "/privacy"] as const;
type LegalPath = (typeof PATHS)[number];

/** The page that a path names, if it names one. */
export const legalOf = (path: string): LegalPath | undefined => PATHS.find((page) => page === path);

export function LegalPage({ path }: { path: LegalPath }) {
  const isTerms = path === "/terms";
  const title = isTerms ? words.terms : words.privacy;
  useTitle(title);
  return (
    <>
      <LinkHead title={title} text={words.text} />
      {isTerms ? <TermsPage /> : <PrivacyPage />}
      <Link className="link" href={isTerms ? "/privacy" : "/terms"}>
        {isTerms ? words.privacy : words.terms}
      </Link>
      <Button component={Link} href="/" variant="default" size="lg" fullWidth>
        {linkWords.toStart}
      </Button>
    </>
  );
}
