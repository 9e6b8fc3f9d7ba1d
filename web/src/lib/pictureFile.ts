// What a chosen file must be to be taken as a picture, and why it is not taken.

/** The most that is sent. A chosen file may be larger: it is made smaller first. */
export const PICTURE_BYTES_MAX = 5_242_880;
export const PICTURE_TYPES = ["image/jpeg", "image/jpg", "image/png", "image/webp"] as const;

/** What a browser says of a file whose type it does not know. */
const UNKNOWN_TYPES = ["", "application/octet-stream"];

/** `kind`: none of the types above. `size`: too large even after it was made smaller. */
export type PictureFault = "empty" | "kind" | "unreadable" | "size";

export class PictureRefused extends Error {
  readonly fault: PictureFault;
  constructor(fault: PictureFault) {
    super(fault);
    this.fault = fault;
  }
}

/** A file that is not taken. `many`: there is no room for it. */
export type RefusedFile = { name: string; why: PictureFault | "many" };

/** The fault that shows before a file is read. */
export function faultAtSight({ type, size }: Pick<Blob, "type" | "size">): "empty" | "kind" | undefined {
  if (size === 0) return "empty";
  const types: readonly string[] = [...PICTURE_TYPES, ...UNKNOWN_TYPES];
  return types.includes(type.toLowerCase()) ? undefined : "kind";
}

/** Splits chosen files into those that may be pictures and have `room`, and the others. */
export function parted(files: readonly File[], room: number): { taken: File[]; refused: RefusedFile[] } {
  const taken: File[] = [];
  const refused: RefusedFile[] = [];
  for (const file of files) {
    const why = faultAtSight(file) ?? (taken.length < room ? undefined : "many");
    if (why === undefined) taken.push(file);
    else refused.push({ name: file.name, why });
  }
  return { taken, refused };
}

const starts = (bytes: Uint8Array, sign: readonly number[], at = 0): boolean =>
  sign.every((byte, i) => bytes[at + i] === byte);

const JPEG = [0xff, 0xd8, 0xff];
const PNG = [0x89, 0x50, 0x4e, 0x47];
const RIFF = [0x52, 0x49, 0x46, 0x46];
const WEBP = [0x57, 0x45, 0x42, 0x50];

/** So many of its first bytes tell what a file is, whatever its name says. */
export const HEAD_BYTES = 12;

export const isJpegHead = (head: Uint8Array): boolean => starts(head, JPEG);

export const isPictureHead = (head: Uint8Array): boolean =>
  isJpegHead(head) || starts(head, PNG) || (starts(head, RIFF) && starts(head, WEBP, 8));
