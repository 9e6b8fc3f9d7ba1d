// The device that a member has told to remember: its key and secret, in local storage beside the tokens. It stays over a sign-out.

/** `group` takes the place of the pool's name in the proof. */
export type Device = { key: string; group: string; secret: string };

const PREFIX = "goodturn.device.";

function read(value: unknown): Device | null {
  if (typeof value !== "object" || value === null) return null;
  const { key, group, secret } = value as Partial<Record<keyof Device, unknown>>;
  if (typeof key !== "string" || typeof group !== "string" || typeof secret !== "string") return null;
  return { key, group, secret };
}

/** What proves this device for a member; nothing when it is not remembered. */
export function deviceOf(uid: string): Device | null {
  try {
    return read(JSON.parse(localStorage.getItem(PREFIX + uid) ?? ""));
  } catch {
    return null;
  }
}

export const keepDevice = (uid: string, device: Device): void =>
  localStorage.setItem(PREFIX + uid, JSON.stringify(device));

export const forgetDevice = (uid: string): void => localStorage.removeItem(PREFIX + uid);
