// The texts of the invitations that the member sent.
import { spoken } from "../../lib/tongue";

export const sentWords = spoken({
  title: "Invitations you sent",
  failed: "Failed to load your invitations. Please try again.",
  sentOn: (day: string) => `Sent on ${day}`,
  resendOn: (day: string) => `You can resend it on ${day}`,
  resendToday: (time: string) => `You can resend it today after ${time}`,
  resend: "Resend",
  resendTo: (address: string) => `Resend the invitation to ${address}`,
  withdraw: "Withdraw",
  withdrawFrom: (address: string) => `Withdraw the invitation to ${address}`,
  withdrawal: {
    title: "Withdraw this invitation?",
    text: "The link in the invitation will stop working. The person you invited won't be told.",
    yes: "Withdraw",
  },
  withdrawn: "Invitation withdrawn",
  withdrawFailed: "Failed to withdraw invitation. Please try again.",
});
