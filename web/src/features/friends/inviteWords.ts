// The texts of an invitation, as documented.
import { spoken } from "../../lib/tongue";

export const inviteWords = spoken({
  notMember: "Not on Goodturn yet",
  placeholder: "Say who you are",
  send: "Send Invitation",
  sent: "Invitation Sent!",
  badEmail: { title: "Invalid Email", text: "Please enter a valid email address to send an invitation." },
  failed: { title: "Invitation Failed", text: "Unable to send invitation. Please try again." },
  tooOften: "You've sent a lot of invitations. Please try again later.",
  already: "Already Invited!",
  alreadyText: (address: string) => `An invitation was already sent to ${address}. They should check their email.`,
  alreadySent: "You already invited them. They should check their email.",
  ok: "OK",
});
