// The texts of how a tip is paid, as documented.
import { spoken } from "../../lib/tongue";

export const payWords = spoken({
  heading: "Payment",
  thank: (name: string) => `Thank ${name} with a tip`,
  loading: "Loading payment options...",
  loadFailed: "Failed to load payment options",
  payWith: { venmo: "Pay with Venmo", paypal: "Pay with PayPal" },
  openIn: { venmo: "Open Venmo", paypal: "Open PayPal" },
  username: { venmo: "Venmo username", paypal: "PayPal username" },
  amount: "Amount",
  copyUsername: "Copy the username",
  copyAmount: "Copy the amount",
  notAvailable: "Payment Method Not Available",
  notSetUp: {
    venmo: (name: string) => `${name} has not set up a Venmo account.`,
    paypal: (name: string) => `${name} has not set up a PayPal account.`,
  },
  otherCurrency: (currency: string) => `Venmo only pays in US dollars, and this tip is in ${currency}.`,
  notOpened: { venmo: "Venmo App Not Installed", paypal: "PayPal Not Available" },
  byHand: {
    venmo: (username: string, amount: string) =>
      `Open Venmo, find @${username} and pay ${amount}. Then mark the favor as settled.`,
    paypal: (username: string, amount: string) =>
      `Go to paypal.me/${username} and pay ${amount}. Then mark the favor as settled.`,
  },
  openFailed: "Failed to open payment app. Please try again.",
  scan: "Scan this with your phone",
  picture: {
    venmo: "QR code that opens Venmo",
    paypal: "QR code that opens PayPal",
  },
});
