// Keys that name one try to create something: however often it is sent, it is done once at most.

export const newKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join("-");

/** The header of a call that goes by its key, if it has one. */
export const byKey = (key: string): { headers: Record<string, string> } => ({
  headers: key === "" ? {} : { "idempotency-key": key },
});
