// Emails about notifications: by a preset, or topic by topic. Each choice is saved at once.
import { Button, SegmentedControl, Skeleton } from "@mantine/core";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { type ReactNode, useId, useState } from "react";
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
import { PresetChoice } from "./PresetChoice";
import { changesFor, PRESETS, type Preset, presetOf } from "./presets";
import { type Frequency, frequencyOf, GROUPS, type Setting, type Topic, useSet, useSettings } from "./settings";
import { settingsWords as words } from "./settingsWords";
import { NAMES } from "./topics";

const { frequencies } = words;

const CHOICES: readonly { value: string; label: string; mail: Frequency }[] = [
  { value: "off", label: frequencies.off, mail: MailFrequency.OFF },
  { value: "atOnce", label: frequencies.atOnce, mail: MailFrequency.AT_ONCE },
  { value: "daily", label: frequencies.daily, mail: MailFrequency.DAILY },
];

/** Saves settings, and says so by their `subject`. */
function useSave() {
  const set = useSet();
  return async function save(settings: readonly Setting[], subject: string): Promise<void> {
    try {
      await set.mutateAsync(settings);
      say(words.saved(subject));
    } catch (error) {
      sayFailure(error, words.notSaved(subject), () => void save(settings, subject));
    }
  };
}

function Row({ topic, mail }: { topic: Topic; mail: Frequency }) {
  const id = useId();
  const save = useSave();
  const subject = NAMES[topic];

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
          if (choice !== undefined) void save([{ topic, mail: choice.mail }], subject);
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

function Choices({ topics }: { topics: readonly TopicSetting[] }) {
  const save = useSave();
  const id = useId();
  const preset = presetOf(topics);
  // A choice topic by topic is shown so.
  const [isOpen, open] = useState(preset === undefined);
  const choose = (next: Preset): void => void save(changesFor(next, topics), words.presets[next].label);
  return (
    <div className="stack l">
      <Section title={words.emails}>
        <div className="stack">
          <PresetChoice chosen={preset} onChoose={choose} />
          <Button
            variant="default"
            fullWidth
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            rightSection={isOpen ? <IconChevronUp size={20} /> : <IconChevronDown size={20} />}
            onClick={() => open(!isOpen)}
          >
            {words.customize}
          </Button>
        </div>
      </Section>
      {isOpen && (
        <div id={id}>
          <Groups topics={topics} />
        </div>
      )}
    </div>
  );
}

/** In the shape of the presets. */
function Waiting() {
  return (
    <div role="status" aria-label={words.loading}>
      <Section title={words.emails}>
        <div className="stack">
          <div className="card flush rows">
            {times(PRESETS.length).map((i) => (
              <div key={i} className="stack s ntf still topic">
                <Skeleton h={20} w="40%" />
                <Skeleton h={20} w="80%" />
              </div>
            ))}
          </div>
          <Skeleton h={44} />
        </div>
      </Section>
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
          {(topics) => <Choices topics={topics} />}
        </Loaded>
        {children}
      </div>
    </div>
  );
}
