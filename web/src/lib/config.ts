// What the server tells a client before anybody has signed in: /config.json, read once.
import { useEffect, useState } from "react";

export type DemoSession = { accessToken: string; idToken: string };
export type Config = {
  clientId: string;
  /** `region_suffix` */
  userPoolId: string;
  localTesting: boolean;
  /** A ready session of the demo member; in local mode only. */
  demo: DemoSession | null;
  /** Whether the demo member is signed in by itself at start. */
  autoSignIn: boolean;
  /** Whether the server can send SMS. */
  sms: boolean;
  /** The hosted sign-in, as `lib/hosted.ts` reads it. */
  oauth: unknown;
};

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

function readDemo(value: unknown): DemoSession | null {
  if (!isObject(value)) return null;
  const demo = { accessToken: text(value["accessToken"]), idToken: text(value["idToken"]) };
  return demo.accessToken === "" || demo.idToken === "" ? null : demo;
}

function readConfig(json: unknown): Config {
  const config = isObject(json) ? json : {};
  const userPoolId = text(config["userPoolId"]);
  const clientId = text(config["clientId"]);
  if (!/^[^_]+_.+$/.test(userPoolId) || userPoolId.length > 55)
    console.error("config: userPoolId must have the form region_suffix");
  if (clientId === "") console.error("config: clientId is required");
  return {
    clientId,
    userPoolId,
    localTesting: config["localTesting"] === true,
    demo: readDemo(config["demo"]),
    autoSignIn: config["autoSignIn"] === true,
    sms: config["sms"] === true,
    oauth: config["oauth"],
  };
}

let loaded: Promise<Config> | undefined;
/** What `loaded` came to. */
let config: Config | undefined;

async function fetchConfig(): Promise<Config> {
  const response = await fetch("/config.json", { headers: { accept: "application/json" } });
  if (!response.ok) throw new Error(`/config.json answered ${response.status}`);
  config = readConfig(await response.json());
  return config;
}

/** The configuration; a failed load is tried again at the next call. */
export function loadConfig(): Promise<Config> {
  loaded ??= fetchConfig().catch((error: unknown) => {
    loaded = undefined;
    throw error;
  });
  return loaded;
}

/** The configuration, once it is known. */
export function useConfig(): Config | undefined {
  const [known, setKnown] = useState(config);
  useEffect(() => {
    if (known === undefined) loadConfig().then(setKnown, () => undefined);
  }, [known]);
  return known;
}
