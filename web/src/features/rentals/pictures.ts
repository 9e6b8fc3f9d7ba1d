// The pictures of a hand-over, a return or its confirmation, until it is noted: each is sent as soon as it was taken. They are files, which no page outlasts; a sheet
// that is closed and opened again finds them.
import { PictureFormat } from "../../gen/later/goodturn/common/v1/picture_pb";
import type { Rental } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { parted, type PictureFault, PictureRefused, type RefusedFile } from "../../lib/pictureFile";
import { createPictureLines, newPicture } from "../../lib/pictureLines";
import { preparePicture } from "../../lib/preparePicture";
import { sendFile, Stopped } from "../../lib/upload";
import type { RentalsApi } from "./deeds";

export const PICTURES_MAX = 5;

/** Why it was not sent: what is wrong with the file is not sent again. */
type Failure = "" | PictureFault | "lost";

/** `key` is what the server takes it by, once it is there; `part` of 1 while it is sent. */
export type Taken = {
  id: string;
  file: File;
  address: string;
  key: string;
  part: number | null;
  stop: (() => void) | null;
  failed: Failure;
};

const lines = createPictureLines<Taken>();
const underWay = new Map<string, Promise<void>>();
const { become, change } = lines;

export const takenFor = lines.of;
export const removePicture = lines.remove;
export const dropPictures = lines.drop;
export const useTaken = lines.useLine;

/** The fault of a file that can only be removed. */
export const faultOf = ({ failed }: Taken): PictureFault | undefined =>
  failed === "" || failed === "lost" ? undefined : failed;

type Client = Pick<RentalsApi["client"], "createRentalPictureUpload">;

async function send(client: Client, rental: Rental, line: string, { id, file }: Taken): Promise<void> {
  change(line, id, { failed: "", part: 0 });
  try {
    const jpeg = await preparePicture(file);
    const about = { itemId: rental.itemId, requestId: rental.requestId, contentType: PictureFormat.JPEG };
    const key = await sendFile({
      file: jpeg,
      ask: (signal) => client.createRentalPictureUpload({ ...about, fileSize: jpeg.size }, { signal }),
      onPart: (part, stop) => change(line, id, { part, stop }),
    });
    change(line, id, { key, part: null, stop: null });
  } catch (error) {
    if (error instanceof Stopped) return;
    const failed = error instanceof PictureRefused ? error.fault : "lost";
    change(line, id, { failed, part: null, stop: null });
  }
}

function begin(client: Client, rental: Rental, line: string, one: Taken): void {
  const done = send(client, rental, line, one).finally(() => underWay.delete(one.id));
  underWay.set(one.id, done);
}

/** Takes what may be a picture and has room, and sends it. @returns why others were not taken. */
export function takePictures(client: Client, rental: Rental, line: string, files: readonly File[]): RefusedFile[] {
  const { taken, refused } = parted(files, PICTURES_MAX - takenFor(line).length);
  for (const file of taken) {
    const one = { ...newPicture(file), file, key: "", part: 0, stop: null, failed: "" } as const;
    become(line, [...takenFor(line), one]);
    begin(client, rental, line, one);
  }
  return refused;
}

export function sendPictureAgain(client: Client, rental: Rental, line: string, id: string): void {
  const one = takenFor(line).find((taken) => taken.id === id);
  if (one !== undefined && one.part === null) begin(client, rental, line, one);
}

/** When all have arrived, what was lost being sent again first: by which keys they are taken. Else why one could not be sent. */
export async function keysOf(client: Client, rental: Rental, line: string): Promise<string[] | "lost" | "refused"> {
  for (const { id, failed } of takenFor(line)) if (failed === "lost") sendPictureAgain(client, rental, line, id);
  await Promise.all(takenFor(line).map(({ id }) => underWay.get(id)));
  const taken = takenFor(line);
  if (taken.some((one) => faultOf(one) !== undefined)) return "refused";
  return taken.some(({ key }) => key === "") ? "lost" : taken.map(({ key }) => key);
}
