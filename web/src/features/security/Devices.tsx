// The devices that are not asked for a second factor.
import { Button } from "@mantine/core";
import { IconDevices } from "@tabler/icons-react";
import { deviceOf } from "../../lib/device";
import { relativeTime, useNow } from "../../lib/times";
import { confirmed } from "../../ui/confirm";
import { sayFailure } from "../../ui/failure";
import { Loaded, ShowMore } from "../../ui/Loaded";
import { Section } from "../../ui/Pieces";
import { Row } from "../../ui/Row";
import { say } from "../../ui/said";
import { SectionRows } from "../../ui/SectionRows";
import { Words } from "../../ui/Words";
import { failedDeed, forget } from "./deeds";
import { type Remembered, useRemembered } from "./queries";
import { words as all } from "./words";

const words = all.devices;

type Props = { uid: string; onChanged: () => void };

export function Devices({ uid, onChanged }: Props) {
  const query = useRemembered();
  const now = useNow();
  const here = deviceOf(uid)?.key;

  async function send({ key }: Remembered, name: string): Promise<void> {
    try {
      await forget(uid, key, key === here);
      onChanged();
      say(words.forgotten(name));
    } catch (error) {
      sayFailure(error, failedDeed(error, words.notForgotten(name)), () => void send({ key, name, usedAt: now }, name));
    }
  }

  async function ask(device: Remembered, name: string): Promise<void> {
    const text = device.key === here ? words.askHere : words.askText;
    if (await confirmed({ title: words.ask(name), text, yes: words.forget, destructive: true }))
      await send(device, name);
  }

  return (
    <Section title={words.title}>
      <p className="dim t14" style={{ marginBottom: "0.75rem" }}>
        {words.sub}
      </p>
      <Loaded
        query={query}
        skeleton={<SectionRows label={words.loading} />}
        failed={words.failed}
        small
        isEmpty={(devices) => devices.length === 0}
        empty={<p className="card dim t14">{words.none}</p>}
      >
        {(devices) => (
          <ul className="plainlist card flush" aria-label={words.title}>
            {devices.map((device) => {
              const name = device.name || words.unknown;
              return (
                <li key={device.key}>
                  <Row
                    icon={<IconDevices size={22} />}
                    label={<Words>{name}</Words>}
                    value={device.key === here ? words.here : words.used(relativeTime(device.usedAt, now))}
                    aside={
                      <Button
                        variant="default"
                        aria-label={words.forgetOf(name)}
                        onClick={() => void ask(device, name)}
                      >
                        {words.forget}
                      </Button>
                    }
                  />
                </li>
              );
            })}
          </ul>
        )}
      </Loaded>
      <ShowMore query={query} />
    </Section>
  );
}
