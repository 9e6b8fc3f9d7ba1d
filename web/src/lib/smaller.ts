// A picture of a camera as it is worth sending: upright, and no larger than the server keeps.

/** The longer side; what is shown of it has fewer. */
const SIDE_MAX_PX = 1600;
const QUALITY = 0.85;

/** It is none, or none that this browser can draw. */
export class Unreadable extends Error {}

/** The sides of a picture that is no larger than may be. */
export function fitted(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, SIDE_MAX_PX / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

async function drawn(address: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = address;
  try {
    await image.decode();
  } catch {
    throw new Unreadable();
  }
  return image;
}

/** @returns a JPEG without anything but its pixels. */
export async function smaller(file: Blob): Promise<Blob> {
  const address = URL.createObjectURL(file);
  try {
    const image = await drawn(address);
    const { width, height } = fitted(image.naturalWidth, image.naturalHeight);
    const canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = height;
    const brush = canvas.getContext("2d");
    if (brush === null) throw new Unreadable();
    // What can be seen through is not black.
    brush.fillStyle = "#fff";
    brush.fillRect(0, 0, width, height);
    brush.imageSmoothingQuality = "high";
    brush.drawImage(image, 0, 0, width, height);
    const jpeg = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
    if (jpeg === null) throw new Unreadable();
    return jpeg;
  } finally {
    URL.revokeObjectURL(address);
  }
}
