// Things to read one after another: the answers of Help & FAQ, and Privacy & Terms, in a sheet and before signing in.
import type { ReactNode } from "react";
import { helpWords } from "./helpWords";
import { privacyWords } from "./privacyWords";

type Topic = { title: string; text: string };

type Props = {
  topics: readonly Topic[];
  /** One below the heading that they stand under. */
  heading?: "h2" | "h3";
  children?: ReactNode;
};

function Topics({ topics, heading: Heading = "h3", children }: Props) {
  return (
    <div className="stack f">
      {topics.map(({ title, text }) => (
        <section key={title}>
          <Heading className="t16 b6">{title}</Heading>
          <p className="dim">{text}</p>
        </section>
      ))}
      {children}
    </div>
  );
}

export function Help() {
  return (
    <Topics topics={helpWords.topics}>
      <p>{helpWords.more}</p>
    </Topics>
  );
}

export function Privacy() {
  return <Topics topics={[...privacyWords.topics, ...privacyWords.terms]} />;
}

/** On a page of its own, which says first who runs the server. */
export function PrivacyPage() {
  return <Topics topics={privacyWords.topics} heading="h2" />;
}

export function TermsPage() {
  return <Topics topics={[...privacyWords.topics.slice(0, 1), ...privacyWords.terms]} heading="h2" />;
}
