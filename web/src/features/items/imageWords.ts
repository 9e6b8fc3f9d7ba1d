// The texts of the pictures of an item.
import { plural, spoken } from "../../lib/tongue";

export const imageWords = spoken({
  title: "Pictures",
  hint: (count: number) =>
    plural(count, (n) => ({ other: `JPEG, PNG or WebP, up to ${n}. The first one shows in lists.` })),
  add: "Add pictures",
  camera: "Camera",
  cameraLabel: "Take a picture with the camera",
  list: "Pictures in order",
  main: "Main",
  nth: (number: number, of: number) => plural(of, (n) => ({ other: `Picture ${number} of ${n}` })),
  earlier: (number: number) => `Move picture ${number} earlier`,
  later: (number: number) => `Move picture ${number} later`,
  remove: (number: number) => `Remove picture ${number}`,
  sending: (number: number) => `Uploading picture ${number}`,
  finishing: "Finishing...",
  finishingNth: (number: number) => `Finishing picture ${number}`,
  stop: (number: number) => `Stop uploading picture ${number}`,
  stopped: "This picture wasn't uploaded.",
  onTheWay: (count: number) =>
    plural(count, (n) => ({ one: `${n} picture is uploading.`, other: `${n} pictures are uploading.` })),
  moved: (number: number) => `This is now picture ${number}.`,
  removed: "Picture removed",
  removal: {
    title: "Remove Picture",
    text: "Nobody will see it anymore.",
    yes: "Remove",
  },
  orderFailed: "Failed to reorder the pictures. Please try again.",
  removeFailed: "Failed to remove the picture. Please try again.",
  unsent: (count: number) =>
    plural(count, (n) => ({
      one: `${n} picture couldn't be uploaded.`,
      other: `${n} pictures couldn't be uploaded.`,
    })),
  unsentUnlisted: (count: number) =>
    plural(count, (n) => ({
      one: `The item isn't listed yet: ${n} picture couldn't be uploaded.`,
      other: `The item isn't listed yet: ${n} pictures couldn't be uploaded.`,
    })),
  uploadError: "Upload Error",
  why: {
    tooOften: "You've uploaded too many pictures. Please try again later.",
    tooMany: "This item can't have any more pictures.",
    wrong: "Invalid file format for upload",
    expired: "Uploading this picture took too long. Please try again.",
    stopped: "This picture wasn't uploaded.",
    lost: "This picture couldn't be uploaded.",
  },
});
