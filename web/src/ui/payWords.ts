// The texts of the pay panel, as documented. Those that depend on the purpose are passed in.
import { spoken } from "../lib/tongue";

export const payWords = spoken({
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
  notOpened: { venmo: "Venmo App Not Installed", paypal: "PayPal Not Available" },
  openFailed: "Failed to open payment app. Please try again.",
  scan: "Scan this with your phone",
  picture: {
    venmo: "QR code that opens Venmo",
    paypal: "QR code that opens PayPal",
  },
});
