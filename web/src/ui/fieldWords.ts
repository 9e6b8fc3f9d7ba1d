// The text of fields that count what is typed.
import { spoken } from "../lib/tongue";

export const fieldWords = spoken({
  counter: (count: number, max: number) => `${count}/${max}`,
});
