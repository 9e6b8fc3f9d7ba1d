// Pictures that are chosen and sent in tests: their bytes go to no server, and nothing is drawn.
import { fireEvent, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { PictureRefused } from "../lib/pictureFile";

type Upload = typeof import("../lib/upload");
type Sending = {
  file: File;
  ask: (signal: AbortSignal) => Promise<{ key: string }>;
  onPart: (part: number, stop: () => void) => void;
};

/** The names of files that fail, each once, and of the one that is never done. */
export const network = { failing: [] as string[], waiting: "" };

/** Stands in for lib/upload. */
export const sendingOf = (real: Upload) => ({
  ...real,
  async sendFile({ file, ask, onPart }: Sending): Promise<string> {
    const { key } = await ask(new AbortController().signal);
    if (file.name === network.waiting) return new Promise((_, reject) => onPart(0.5, () => reject(new real.Stopped())));
    const at = network.failing.indexOf(file.name);
    onPart(at < 0 ? 1 : 0.5, () => undefined);
    if (at < 0) return key;
    network.failing.splice(at, 1);
    throw new real.UploadFailed("", true);
  },
});

/** Stands in for lib/preparePicture, since nothing is drawn here: a file called "torn" cannot be decoded. */
export const preparing = {
  preparePicture: (file: File): Promise<File> =>
    file.name === "torn" ? Promise.reject(new PictureRefused("unreadable")) : Promise.resolve(file),
};

/** All that is sent arrives. */
export function sendAll(): void {
  Object.assign(network, { failing: [], waiting: "" });
  URL.createObjectURL = (file) => `blob:${(file as File).name}`;
  URL.revokeObjectURL = () => undefined;
}

export const png = (name: string, type = "image/png"): File => new File(["x"], name, { type });
export const pick = (...files: File[]): unknown =>
  fireEvent.change(document.querySelector("input[type=file][multiple]") ?? document.body, { target: { files } });
const list = () => within(screen.getByRole("list", { name: "Pictures in order" }));
export const pressAtPicture = (name: string): Promise<void> => userEvent.click(list().getByRole("button", { name }));
export const pictures = (): string[] =>
  list()
    .getAllByRole("img")
    .map((image) => image.getAttribute("src") ?? "");
export const type = (label: string, text: string): unknown =>
  fireEvent.change(screen.getByLabelText(label), { target: { value: text } });
