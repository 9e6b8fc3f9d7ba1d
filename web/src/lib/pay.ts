// The links of the two payment services, as they document them: those that pay, and those that name a member.
import type { Currency } from "./money";

export const SERVICES = ["venmo", "paypal"] as const;
export type Service = (typeof SERVICES)[number];

/** A member's usernames at the payment services, without the "@". Empty means none. */
export type Handles = Record<Service, string>;

/** The username in a link of the service; empty where the link names nobody. */
const NAME_IN: Record<Service, (host: string, parts: readonly string[]) => string | undefined> = {
  venmo(host, [first = "", second = ""]) {
    if (host !== "venmo.com") return undefined;
    if (first === "u") return second;
    // The code of a picture names a member by a number.
    return first === "code" ? "" : first;
  },
  paypal(host, parts) {
    if (host === "paypal.me") return parts[0] ?? "";
    if (host !== "paypal.com") return undefined;
    return parts[parts.findIndex((part) => part.toLowerCase() === "paypalme") + 1 || parts.length] ?? "";
  },
};

/** The username that a member means who types it, with an "@" or not, or pastes the link to it. */
export function handleIn(service: Service, typed: string): string {
  const text = typed.trim();
  const [, host = "", path = ""] =
    /^(?:https?:\/\/)?(?:(?:www|account)\.)?([\w-]+\.\w+)(\/[^?#]*)?(?:[?#].*)?$/i.exec(text) ?? [];
  const parts = path.split("/").filter((part) => part !== "");
  return (NAME_IN[service](host.toLowerCase(), parts) ?? text).replace(/^@\s*/, "");
}

/** A payment. `handle` is the payee's username at the service. */
export type Due = { handle: string; amount: number; currency: Currency; note: string };

const CENTS = 100;

/** "15.00", as links and forms of every language take it. */
export function amountIn(amount: number): string {
  const cents = Math.round(amount * CENTS);
  return `${Math.floor(cents / CENTS)}.${String(cents % CENTS).padStart(2, "0")}`;
}

/** Venmo knows no other currency, and would take the number for dollars. */
export const takes = (service: Service, currency: Currency): boolean => service === "paypal" || currency === "USD";

const paid = ({ amount, note }: Due): string => `amount=${amountIn(amount)}&note=${encodeURIComponent(note)}`;

/** What leads a phone into the app, if it has it. */
export function appLinkOf(service: Service, due: Due): string {
  if (service === "paypal") return webLinkOf(service, due);
  return `venmo://paycharge?txn=pay&recipients=${encodeURIComponent(due.handle)}&${paid(due)}`;
}

/** What a browser opens, and the camera of a phone. */
export function webLinkOf(service: Service, due: Due): string {
  const handle = encodeURIComponent(due.handle);
  if (service === "venmo") return `https://venmo.com/${handle}?txn=pay&${paid(due)}`;
  return `https://paypal.me/${handle}/${amountIn(due.amount)}${due.currency}`;
}
