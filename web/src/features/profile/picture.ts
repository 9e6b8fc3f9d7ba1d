// How the picture that is saved is made of what was chosen: a square that is small enough to send.

export const ZOOM_MAX = 4;

/** The largest that the server keeps: more would be sent for nothing. */
const SIDE_MAX_PX = 1024;
const QUALITY = 0.88;

export type Area = { x: number; y: number; width: number; height: number };

/** The side of the square that is made of a part of the picture: never larger than that part is. */
export const sideOf = ({ width }: Area): number => Math.max(1, Math.min(SIDE_MAX_PX, Math.round(width)));

/** Upright, since browsers draw it so. @returns a JPEG as a data URL, or nothing where the browser cannot draw it. */
export function squareOf(image: HTMLImageElement, area: Area): string {
  const side = sideOf(area);
  const canvas = document.createElement("canvas");
  canvas.width = side;
  canvas.height = side;
  const brush = canvas.getContext("2d");
  if (brush === null) return "";
  // What can be seen through is not black.
  brush.fillStyle = "#fff";
  brush.fillRect(0, 0, side, side);
  brush.imageSmoothingQuality = "high";
  brush.drawImage(image, area.x, area.y, area.width, area.height, 0, 0, side, side);
  const url = canvas.toDataURL("image/jpeg", QUALITY);
  return url.startsWith(JPEG) ? url : "";
}

const JPEG = "data:image/jpeg;base64,";

/** Whether it is one that `squareOf` made. */
export const isSquare = (url: string): boolean => url.startsWith(JPEG);

/** The bytes of a data URL. */
export function fileOf(url: string): Blob {
  const bytes = Uint8Array.from(atob(url.slice(url.indexOf(",") + 1)), (sign) => sign.charCodeAt(0));
  return new Blob([bytes], { type: "image/jpeg" });
}
