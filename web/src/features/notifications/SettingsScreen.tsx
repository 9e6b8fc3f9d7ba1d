// What of the notifications is also mailed, topic by topic. Each choice is saved at once.
import { SegmentedControl, Skeleton } from "@mantine/core";
import { type ReactNode, useId } from "react";
import { useTitle } from "../../lib/title";
import { MailFrequency, type TopicSetting } from "../../gen/later/goodturn/notifications/v1/notifications_service_pb";
import { sayFailure } from "../../ui/failure";
import { filled } from "../../ui/filled";
import { Loaded } from "../../ui/Loaded";
import { Section } from "../../ui/Pieces";
import { ScreenHead } from "../../ui/ScreenHead";
import { say } from "../../ui/said";
import { times } from "../../ui/Skeletons";
import "../../ui/styles/rows.css";
import { Words } from "../../ui/Words";
import { type Frequency, frequencyOf, GROUPS, type Topic, useSet, useSettings } from "./settings";
import { settingsWords as words } from "./settingsWords";
import { NAMES } from "./topics";

const { frequencies } = words;

const CHOICES: readonly { value: string; label: string; mail: Frequency }[] = [
  { value: "off", label: frequencies.off, mail: MailFrequency.OFF },
  { value: "atOnce", label: frequencies.atOnce, mail: MailFrequency.AT_ONCE },
  { value: "daily", label: frequencies.daily, mail: MailFrequency.DAILY },
];

function Row({ topic, mail }: { topic: Topic; mail: Frequency }) {
  const id = useId();
  const set = useSet();
  const subject = NAMES[topic];

  async function save(next: Frequency): Promise<void> {
    try {
      await set.mutateAsync({ topic, mail: next });
      say(words.saved(subject));
    } catch (error) {
      sayFailure(error, words.notSaved(subject), () => void save(next));
    }
  }

  return (
    <div className="stack s ntf still topic">
      <span className="b6" id={id}>
        {subject}
      </span>
      <SegmentedControl
        className="seg"
        fullWidth
        aria-labelledby={id}
        value={CHOICES.find((one) => one.mail === mail)?.value ?? ""}
        data={CHOICES.map(({ value, label }) => ({ value, label }))}
        onChange={(value) => {
          const choice = CHOICES.find((one) => one.value === value);
          if (choice !== undefined) void save(choice.mail);
        }}
      />
    </div>
  );
}

function Groups({ topics }: { topics: readonly TopicSetting[] }) {
  return (
    <div className="stack l">
      {GROUPS.map(({ area, topics: inside }) => {
        // What this server does not send mail about is not offered.
        const rows = inside.flatMap((topic: Topic) => {
          const mail = frequencyOf(topics, topic);
          return mail === undefined ? [] : [{ topic, mail }];
        });
        if (rows.length === 0) return null;
        return (
          <Section key={area} title={words.areas[area]}>
            <div className="card flush rows">
              {rows.map((row) => (
                <Row key={row.topic} {...row} />
              ))}
            </div>
          </Section>
        );
      })}
    </div>
  );
}

/** In the shape of the first groups. */
function Waiting() {
  return (
    <div role="status" aria-label={words.loading} className="stack l">
      {GROUPS.slice(0, 2).map(({ area, topics }) => (
        <Section key={area} title={words.areas[area]}>
          <div className="card flush rows">
            {times(topics.length).map((i) => (
              <div key={i} className="stack s ntf still topic">
                <Skeleton h={20} w="60%" />
                <Skeleton h={44} />
              </div>
            ))}
          </div>
        </Section>
      ))}
    </div>
  );
}

/** `children`: the members who are muted. */
export function SettingsScreen({ email, children }: { email: string; children: ReactNode }) {
  useTitle(words.title);
  const address = (
    <b className="breakable ink">
      <Words>{email}</Words>
    </b>
  );
  return (
    <div className="narrow">
      <ScreenHead title={words.title} back={words.settings} otherwise="/settings" />
      <div className="stack l">
        <p className="dim">{filled(words.sub, address)}</p>
        <Loaded query={useSettings()} skeleton={<Waiting />} failed={words.failed}>
          {(topics) => <Groups topics={topics} />}
        </Loaded>
        {children}
      </div>
    </div>
  );
}
