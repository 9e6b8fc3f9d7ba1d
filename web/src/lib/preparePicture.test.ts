// How a chosen file becomes a picture that is sent: it is judged by what it is, and by its size after it was made smaller.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { PICTURE_BYTES_MAX, PictureRefused } from "./pictureFile";
import { fitted, preparePicture } from "./preparePicture";

/** What the browser does with a picture: how large it is decoded, and how many bytes are made of it; null where it cannot. */
const browser = { decodes: true, width: 4032, height: 3024, made: 400_000 as number | null };
const drawn: number[][] = [];

class DecodedImage {
  src = "";
  naturalWidth = browser.width;
  naturalHeight = browser.height;
  decode = (): Promise<void> => (browser.decodes ? Promise.resolve() : Promise.reject(new Error("broken")));
}

function blobOf(bytes: number): Blob {
  const blob = new Blob(["x"], { type: "image/jpeg" });
  Object.defineProperty(blob, "size", { value: bytes });
  return blob;
}

beforeEach(() => {
  Object.assign(browser, { decodes: true, width: 4032, height: 3024, made: 400_000 });
  drawn.length = 0;
  vi.stubGlobal("Image", DecodedImage);
  Object.assign(URL, { createObjectURL: () => "blob:file", revokeObjectURL: vi.fn() });
  const brush = { fillRect: () => undefined, drawImage: (_: unknown, ...at: number[]) => drawn.push(at) };
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(brush as unknown as null);
  vi.spyOn(HTMLCanvasElement.prototype, "toBlob").mockImplementation((take) =>
    take(browser.made === null ? null : blobOf(browser.made)),
  );
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const bytes = (...parts: (string | number)[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === "number" ? [part] : [...part].map((c) => c.charCodeAt(0)))));

const SCAN = bytes(0xff, 0xda, 0, 2, "pixels");
const JPEG = bytes(0xff, 0xd8, 0xff, 0xe1, 0, 10, "....Exif", ...SCAN, 0xff, 0xd9);
const PNG = bytes(0x89, "PNG\r\n", 0x1a, "\n....");
const WEBP = bytes("RIFF....WEBPVP8 ");
const HEIC = bytes(0, 0, 0, 0x18, "ftypheic....");
const GIF = bytes("GIF89a......");
const WAV = bytes("RIFF....WAVEfmt ");
const TEXT = bytes("Dear neighbor, ");

function file(name: string, content: Uint8Array<ArrayBuffer>, type: string, size = content.length): File {
  const made = new File([content], name, { type });
  Object.defineProperty(made, "size", { value: size });
  return made;
}

const faultOf = (chosen: File): Promise<unknown> =>
  preparePicture(chosen).then(
    () => "none",
    (error: unknown) => (error instanceof PictureRefused ? error.fault : error),
  );

it.each([
  ["a camera's JPEG of 9.6 MB", file("IMG_1.jpg", JPEG, "image/jpeg", 9_600_000)],
  ["a PNG of 40 MB", file("scan.png", PNG, "image/png", 40_000_000)],
  ["a WebP", file("a.webp", WEBP, "image/webp")],
  ["a JPEG in capitals", file("A.JPG", JPEG, "IMAGE/JPEG")],
  ["a JPEG of the older name", file("a.jpg", JPEG, "image/jpg")],
  ["a JPEG of which the system says nothing", file("a", JPEG, "")],
  ["a JPEG of which the system knows nothing", file("a", JPEG, "application/octet-stream")],
  ["a JPEG that is called a PNG", file("a.png", JPEG, "image/png")],
])("%s_is_taken", async (_what, chosen) => {
  await expect(preparePicture(chosen)).resolves.toMatchObject({ type: "image/jpeg", size: 400_000 });
  expect(drawn).toEqual([[0, 0, 1600, 1200]]);
});

it.each([
  ["empty", "an empty JPEG", file("a.jpg", bytes(), "image/jpeg")],
  ["unreadable", "a JPEG that was cut off", file("a.jpg", JPEG.slice(0, -2), "image/jpeg")],
  ["empty", "an empty text", file("a.txt", bytes(), "text/plain")],
  ["kind", "a HEIC", file("IMG_1.HEIC", HEIC, "image/heic")],
  ["kind", "a HEIC without a type", file("IMG_1.HEIC", HEIC, "")],
  ["kind", "a HEIC that is called a JPEG", file("IMG_1.jpg", HEIC, "image/jpeg")],
  ["kind", "a text that is called a JPEG", file("letter.jpg", TEXT, "image/jpeg")],
  ["kind", "a GIF", file("a.gif", GIF, "image/gif")],
  ["kind", "a GIF that is called a PNG", file("a.png", GIF, "image/png")],
  ["kind", "a sound that is called a WebP", file("a.webp", WAV, "image/webp")],
  ["kind", "a drawing", file("a.svg", bytes("<svg xmlns="), "image/svg+xml")],
  ["kind", "a large text", file("a.txt", TEXT, "text/plain", PICTURE_BYTES_MAX + 1)],
  ["kind", "the beginning of a JPEG's first bytes", file("a.jpg", bytes(0xff, 0xd8), "image/jpeg")],
])("%s_is_the_fault_of_%s", async (fault, _what, chosen) => {
  expect(await faultOf(chosen)).toBe(fault);
  expect(drawn).toEqual([]);
});

it("what_cannot_be_decoded_drawn_or_read_is_unreadable", async () => {
  browser.decodes = false;
  expect(await faultOf(file("a.jpg", JPEG, "image/jpeg"))).toBe("unreadable");
  Object.assign(browser, { decodes: true, made: null });
  expect(await faultOf(file("a.jpg", JPEG, "image/jpeg"))).toBe("unreadable");
  const gone = file("a.jpg", JPEG, "image/jpeg");
  gone.slice = () => ({ arrayBuffer: () => Promise.reject(new Error("gone")) }) as unknown as Blob;
  expect(await faultOf(gone)).toBe("unreadable");
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(null);
  expect(await faultOf(file("a.jpg", JPEG, "image/jpeg"))).toBe("unreadable");
});

it.each([
  [PICTURE_BYTES_MAX, "none"],
  [PICTURE_BYTES_MAX + 1, "size"],
])("the_size_after_it_was_made_smaller_counts: %d", async (made, fault) => {
  browser.made = made;
  expect(await faultOf(file("a.jpg", JPEG, "image/jpeg", 100))).toBe(fault);
});

it("one_is_decoded_after_another_also_behind_one_that_failed", async () => {
  let decoding = 0;
  let most = 0;
  vi.stubGlobal(
    "Image",
    class extends DecodedImage {
      override decode = async (): Promise<void> => {
        decoding += 1;
        most = Math.max(most, decoding);
        await new Promise((resolve) => setTimeout(resolve));
        decoding -= 1;
        if (!browser.decodes) throw new Error("broken");
      };
    },
  );
  browser.decodes = false;
  const first = faultOf(file("a.jpg", JPEG, "image/jpeg"));
  const others = [1, 2].map(() => faultOf(file("b.jpg", JPEG, "image/jpeg")));
  expect(await first).toBe("unreadable");
  browser.decodes = true;
  expect(await Promise.all(others)).toEqual(["none", "none"]);
  expect(most).toBe(1);
});

it.each([
  [4032, 3024, 1600, 1200],
  [3024, 4032, 1200, 1600],
  [1600, 1600, 1600, 1600],
  [800, 600, 800, 600],
  [10_000, 1, 1600, 1],
  [1, 1, 1, 1],
])("%d_by_%d_becomes_%d_by_%d", (width, height, w, h) => {
  expect(fitted(width, height)).toEqual({ width: w, height: h });
});
