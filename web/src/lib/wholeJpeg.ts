// Whether a JPEG goes on to the end of its picture. Browsers draw what is missing of one that was cut off in white or gray.

const SCAN = 0xda;
const END = 0xd9;

/** These stand alone; in compressed data FF 00 is a byte of it, and D0 to D7 restart it. */
const isPassedOver = (marker: number): boolean => marker === 0 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd7);

export function isWholeJpeg(bytes: Uint8Array): boolean {
  let drawn = false;
  let at = 0;
  for (;;) {
    at = bytes.indexOf(0xff, at);
    const marker = at < 0 ? undefined : bytes[at + 1];
    if (marker === undefined) return false;
    if (marker === END) return drawn;
    if (isPassedOver(marker)) {
      at += 1;
      continue;
    }
    drawn ||= marker === SCAN;
    at += 2;
    // The start of the file and 01 have no length.
    if (marker !== 0xd8 && marker !== 0x01) at += ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
  }
}
