// The texts of how a tip is paid, as documented.
import { spoken } from "../../lib/tongue";

export const payWords = spoken({
  heading: "Payment",
  thank: (name: string) => `Thank ${name} with a tip`,
  otherCurrency: (currency: string) => `Venmo only pays in US dollars, and this tip is in ${currency}.`,
  otherWay: (name: string) =>
    `${name} hasn't set up Venmo or PayPal. Pay in cash or another way, then mark the favor as settled.`,
  byHand: {
    venmo: (username: string, amount: string) =>
      `Open Venmo, find @${username} and pay ${amount}. Then mark the favor as settled.`,
    paypal: (username: string, amount: string) =>
      `Go to paypal.me/${username} and pay ${amount}. Then mark the favor as settled.`,
  },
});
