// What a file has to be that is taken as a picture, as documented.

export const PICTURE_BYTES_MAX = 5_242_880;
export const PICTURE_TYPES = ["image/jpeg", "image/jpg", "image/png", "image/webp"] as const;

export const isPicture = ({ type }: Pick<Blob, "type">): boolean =>
  PICTURE_TYPES.some((one) => one === type.toLowerCase());

export type WrongFile = "format" | "size";

/** By what the browser says of it; whether it is what it says shows when it is drawn. */
export function wrongFile(file: Pick<File, "type" | "size">): WrongFile | undefined {
  if (!isPicture(file)) return "format";
  return file.size > PICTURE_BYTES_MAX ? "size" : undefined;
}
