// Things to read in a sheet, one after another: the answers of Help & FAQ, and Privacy & Terms.
import type { ReactNode } from "react";
import { helpWords } from "./helpWords";
import { privacyWords } from "./privacyWords";

type Topic = { title: string; text: string };

function Topics({ topics, children }: { topics: readonly Topic[]; children?: ReactNode }) {
  return (
    <div className="stack f">
      {topics.map(({ title, text }) => (
        <section key={title}>
          <h3 className="t16 b6">{title}</h3>
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
  return <Topics topics={privacyWords.topics} />;
}
