// What asks before a way back is taken. It is no entry of the history, since a new one would take away what lies ahead: the way back is taken
// back first, of which nobody hears, and once more by who says yes.
import { useState } from "react";
import { type Close, goBack, isFree, isOpen, type Layer, setAsker, settle, type Spot, step, useOpen } from "./layers";

/** The way back led over so many `screens`, and so many `steps` of the history. */
type Asking = { layer: Layer; from: Spot; screens: number; steps: number; tries: number };

/** One more step back overtakes ours: so long until it is tried again, so often. */
const OVERTAKEN_MS = 200;
const LOST_MS = 1000;
const TRIES_MAX = 10;

let asking: Asking | undefined;
let trying: ReturnType<typeof setTimeout> | undefined;

function takeBack(mine: Asking, here: number): void {
  if (mine.tries === TRIES_MAX) return ask(mine);
  mine.tries += 1;
  window.history.go(mine.from.number - here);
  trying = setTimeout(() => takeBack(mine, here), LOST_MS);
  return undefined;
}

function ask({ layer, screens, steps }: Asking): void {
  asking = undefined;
  // The router may have looked meanwhile. It hears this, and nobody else does.
  window.dispatchEvent(new Event("hashchange"));
  const again = (): void => step(() => goBack(screens));
  if (isOpen(layer)) layer.close(true, screens > 0 ? again : undefined);
  // It has let go meanwhile: nobody is to be asked any more, and the way is free.
  else if (isFree()) window.history.go(-steps);
  settle();
}

function takes(before: Spot, { at, number }: Spot, top: Layer | undefined): boolean {
  clearTimeout(trying);
  if (asking === undefined) {
    if (top?.isLight !== true || number >= before.number) return false;
    asking = { layer: top, from: before, screens: before.at - at, steps: before.number - number, tries: 0 };
    takeBack(asking, number);
  } else if (number === asking.from.number) ask(asking);
  else trying = setTimeout(takeBack, OVERTAKEN_MS, asking, number);
  return true;
}

setAsker({ takes, isBusy: () => asking !== undefined });

/**
 * A layer that is no entry. The first screen of all has no other of the app behind it to come back from: there it is one as others are.
 */
export const useLightLayer = (isOn: boolean, onClose: Close): void => useOpen(isOn, true, onClose);

/** While `isOn`, the browser's way back is taken only when `mayLeave` says so; by `leave`, where the browser cannot take it again. */
export function useAskedBack(isOn: boolean, mayLeave: () => Promise<boolean>, leave: () => void): void {
  const [isAsking, setAsking] = useState(false);
  async function askFirst(go: () => void): Promise<void> {
    setAsking(true);
    // Who may leave is not asked again on the way.
    if (await mayLeave()) go();
    else setAsking(false);
  }
  useLightLayer(isOn && !isAsking, (byBack, again = leave) => byBack && void askFirst(again));
}
