// What is said of a file that could not be sent.
import { spoken } from "./tongue";

export const words = spoken({
  failed: (statusText: string) => `Upload failed: ${statusText}`,
  noKey: "Invalid key parameter",
});
