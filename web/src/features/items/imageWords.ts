// The texts of the pictures of an item.
import { plural, spoken } from "../../lib/tongue";

export const imageWords = spoken({
  title: "Pictures",
  hint: (count: number) =>
    plural(count, (n) => ({ other: `JPEG, PNG or WebP, ${n} at most. The first one is shown in lists.` })),
  add: "Add pictures",
  camera: "Camera",
  cameraLabel: "Take a picture with the camera",
  list: "Pictures in their order",
  main: "Main",
  nth: (number: number, of: number) => plural(of, (n) => ({ other: `Picture ${number} of ${n}` })),
  earlier: (number: number) => `Move picture ${number} forward`,
  later: (number: number) => `Move picture ${number} back`,
  remove: (number: number) => `Remove picture ${number}`,
  sending: (number: number) => `Sending picture ${number}`,
  finishing: "Finishing...",
  finishingNth: (number: number) => `Finishing picture ${number}`,
  stop: (number: number) => `Stop sending picture ${number}`,
  stopped: "This picture is not sent.",
  onTheWay: (count: number) =>
    plural(count, (n) => ({ one: `${n} picture is on its way.`, other: `${n} pictures are on their way.` })),
  moved: (number: number) => `It is picture ${number} now.`,
  removed: "Picture removed",
  removal: {
    title: "Remove Picture",
    text: "It is not shown to anybody any more.",
    yes: "Remove",
  },
  tooMany: "Too Many Pictures",
  tooManyText: (count: number) => plural(count, (n) => ({ other: `An item has ${n} pictures at most.` })),
  orderFailed: "Failed to put the pictures in order. Please try again.",
  removeFailed: "Failed to remove the picture. Please try again.",
  unsent: (count: number) =>
    plural(count, (n) => ({
      one: `${n} picture could not be sent.`,
      other: `${n} pictures could not be sent.`,
    })),
  unsentUnlisted: (count: number) =>
    plural(count, (n) => ({
      one: `The item is not listed yet: ${n} picture could not be sent.`,
      other: `The item is not listed yet: ${n} pictures could not be sent.`,
    })),
  uploadError: "Upload Error",
  why: {
    tooOften: "You sent too many pictures. Please try again later.",
    tooMany: "This item has as many pictures as there may be.",
    wrong: "Invalid file format for upload",
    tooLarge: "Please choose a picture of 5 MB at most.",
    expired: "This picture waited too long to be taken. Please try again.",
    stopped: "This picture was not sent.",
    lost: "This picture could not be sent.",
  },
});
