// Makes a chosen file ready to send: decoded, upright, no larger than the server keeps, and judged after that.
import { faultAtSight, HEAD_BYTES, isJpegHead, isPictureHead, PICTURE_BYTES_MAX, PictureRefused } from "./pictureFile";
import { isWholeJpeg } from "./wholeJpeg";

/** The longer side; what is shown of it has fewer. */
const SIDE_MAX_PX = 1600;
const QUALITY = 0.85;

/** The sides of a picture that is no larger than may be. */
export function fitted(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, SIDE_MAX_PX / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

async function read(file: Blob): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch {
    throw new PictureRefused("unreadable");
  }
}

/** A file may be renamed, be cut off, or be gone by now. */
async function check(file: Blob): Promise<void> {
  const head = await read(file.slice(0, HEAD_BYTES));
  if (!isPictureHead(head)) throw new PictureRefused("kind");
  if (isJpegHead(head) && !isWholeJpeg(await read(file))) throw new PictureRefused("unreadable");
}

async function decoded(address: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = address;
  try {
    await image.decode();
  } catch {
    throw new PictureRefused("unreadable");
  }
  return image;
}

async function redrawn(image: HTMLImageElement): Promise<Blob> {
  const { width, height } = fitted(image.naturalWidth, image.naturalHeight);
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const brush = canvas.getContext("2d");
  if (brush === null) throw new PictureRefused("unreadable");
  // What can be seen through is not black.
  brush.fillStyle = "#fff";
  brush.fillRect(0, 0, width, height);
  brush.imageSmoothingQuality = "high";
  brush.drawImage(image, 0, 0, width, height);
  const jpeg = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
  if (jpeg === null) throw new PictureRefused("unreadable");
  return jpeg;
}

async function prepare(file: Blob): Promise<Blob> {
  const fault = faultAtSight(file);
  if (fault !== undefined) throw new PictureRefused(fault);
  await check(file);
  const address = URL.createObjectURL(file);
  try {
    const jpeg = await redrawn(await decoded(address));
    if (jpeg.size > PICTURE_BYTES_MAX) throw new PictureRefused("size");
    return jpeg;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** One after another: a decoded picture takes as much memory as all its pixels. */
let last: Promise<unknown> = Promise.resolve();

/**
 * @returns a JPEG without anything but its pixels.
 * @throws PictureRefused with what is wrong with the file.
 */
export function preparePicture(file: Blob): Promise<Blob> {
  const prepared = last.then(() => prepare(file));
  last = prepared.catch(() => undefined);
  return prepared;
}
