// The parts of the app that are loaded by themselves: screens and sheets. Each can be tried again, and is fetched before it is needed.
import { type ComponentType, lazy, useEffect, useState } from "react";
import { isReached, whenFound } from "./reach";
import { stylesAgain } from "./styles";

const RELOADED_KEY = "goodturn.reloaded_for";
const BUSY_LOOK_MS = 500;

/** A part that could not be loaded now. */
export class PartMissing extends Error {}

/** Gives each part that failed a new beginning: React keeps what it was told. */
const failed = new Set<() => void>();

/** Before what failed is drawn again, because the member wants it. */
export function beginAgain(): void {
  sessionStorage.removeItem(RELOADED_KEY);
  for (const begin of failed) begin();
  failed.clear();
}

const ahead: (() => Promise<unknown>)[] = [];

const entryOf = (html: Document): string =>
  html.querySelector<HTMLScriptElement>("script[type=module][src]")?.getAttribute("src") ?? "";

/** Whether the server has another release by now, whose parts have other names. */
async function isReplaced(): Promise<boolean> {
  const page = await fetch("/", { cache: "no-store", headers: { accept: "text/html" } });
  const html = new DOMParser().parseFromString(await page.text(), "text/html");
  return page.ok && entryOf(html) !== entryOf(document);
}

/**
 * Loads the page anew at its route, once for a release: where that does not help, only the member tries again. Nothing is drawn any more until
 * it comes.
 */
function reload(): Promise<never> {
  const release = entryOf(document);
  if (sessionStorage.getItem(RELOADED_KEY) === release) throw new PartMissing();
  sessionStorage.setItem(RELOADED_KEY, release);
  window.location.reload();
  return new Promise(() => undefined);
}

/** A page is only left for one that the server can give: offline, what stands there stays. */
async function loaded<T>(load: () => Promise<T>): Promise<T> {
  const whole = (): Promise<T> => stylesAgain().then(load);
  try {
    return await whole();
  } catch {
    if (!(await isReached()) || (await isReplaced().catch(() => false))) return isGone();
    // Browsers differ in whether they ask again for what has failed once; those that do not need a new page.
    return whole().catch(reload);
  }
}

async function isGone(): Promise<never> {
  if (!(await isReached())) throw new PartMissing();
  return reload();
}

/** `load` imports the part. It is told by the nearest boundary when it is missing, and imported again with Retry. */
export function part<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let here: ComponentType<P> | undefined;
  const fetched = async (): Promise<{ default: ComponentType<P> }> => {
    here = await load();
    return { default: here };
  };
  const begin = (): ComponentType<P> =>
    lazy(() =>
      loaded(fetched).catch((error: unknown) => {
        failed.add(() => {
          later = begin();
        });
        throw error;
      }),
    );
  let later = begin();
  alsoAhead(fetched);

  return function Part(props: P) {
    // The same one as long as it is shown: another would begin anew.
    const [Shown] = useState(() => here ?? later);
    return <Shown {...props} />;
  };
}

/**
 * A part that shows nothing before something happens: nothing waits for it or breaks without it. It comes when the browser has time, or `soon`,
 * beside what is shown, where each moment without it is one that it misses.
 */
export function quiet<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  when: () => "idle" | "soon",
): ComponentType<Props> {
  let here: ComponentType<Props> | undefined;
  let coming: Promise<ComponentType<Props>> | undefined;
  const fetched = async (): Promise<ComponentType<Props>> => {
    if (when() === "idle") await idle(() => false);
    return loaded(load);
  };

  return function Quiet(props: Props) {
    const [Shown, show] = useState(() => here);
    useEffect(() => {
      let isLeft = false;
      async function come(): Promise<void> {
        try {
          here = await (coming ??= fetched());
          if (!isLeft) show(() => here);
        } catch {
          coming = undefined;
          if (!isLeft) whenFound(() => void come());
        }
      }
      if (here === undefined) void come();
      return () => {
        isLeft = true;
      };
    }, []);
    return Shown === undefined ? null : <Shown {...props} />;
  };
}

/** What is fetched ahead: beside the parts also code that is no component. A style sheet that was lost on the way comes with the next that needs it. */
export function alsoAhead(load: () => Promise<unknown>): void {
  ahead.push(() => stylesAgain().then(load));
}

const saves = (): boolean => {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
};

/** Waits until `busy` is over and the browser has time. */
async function idle(busy: () => boolean): Promise<void> {
  do await new Promise((resolve) => setTimeout(resolve, BUSY_LOOK_MS));
  while (busy() || document.readyState !== "complete");
}

/** Fetches the parts one after another while nothing else is to do, so that leaving a screen needs no network. */
export async function fetchAhead(busy: () => boolean = () => false): Promise<void> {
  if (saves()) return;
  for (let next = ahead.shift(); next !== undefined; next = ahead.shift()) {
    await idle(busy);
    await next().catch(() => undefined);
  }
}
