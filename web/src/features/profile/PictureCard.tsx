// The face and the name that others see, as they become, and the ways to another picture.
import { Button } from "@mantine/core";
import { IconArrowBackUp, IconPhoto, IconTrash } from "@tabler/icons-react";
import { useEffect, useEffectEvent, useState } from "react";
import { part } from "../../lib/parts";
import { faultAtSight, PictureRefused, type RefusedFile } from "../../lib/pictureFile";
import { preparePicture } from "../../lib/preparePicture";
import { useOutcome } from "../../lib/outcome";
import { Face } from "../../ui/Face";
import { RefusedPictures } from "../../ui/RefusedPictures";
import { Sheet } from "../../ui/Sheet";
import { usePicturePick } from "../../ui/usePicturePick";
import { CropSkeleton } from "./CropSkeleton";
import { Words } from "../../ui/Words";

import "../../ui/styles/picture.css";
import { pictureWords, words } from "./words";

const CropPicture = part(() => import("./CropPicture").then((m) => m.CropPicture));

/** Prepares a chosen file. @returns the address of what was made of it, and nothing until then. */
function usePrepared(file: File | null, onRefused: (refused: RefusedFile) => void): string {
  const [{ of, address }, setReady] = useState({ of: file, address: "" });
  const refuse = useEffectEvent(onRefused);
  useEffect(() => {
    if (file === null) return undefined;
    let made = "";
    let isWanted = true;
    async function prepare(chosen: File): Promise<void> {
      try {
        const picture = await preparePicture(chosen);
        if (!isWanted) return;
        made = URL.createObjectURL(picture);
        setReady({ of: chosen, address: made });
      } catch (error) {
        const why = error instanceof PictureRefused ? error.fault : "unreadable";
        if (isWanted) refuse({ name: chosen.name, why });
      }
    }
    void prepare(file);
    return () => {
      isWanted = false;
      URL.revokeObjectURL(made);
    };
  }, [file]);
  return of === file ? address : "";
}

/** `saved` is the address that the server has; `picture` takes its place: empty for none, null where it stays. */
type Props = {
  name: string;
  saved: string;
  picture: string | null;
  isBusy: boolean;
  onChoose: (picture: string | null) => void;
};

function stateOf(picture: string | null): string {
  if (picture === null) return "";
  return picture === "" ? pictureWords.removal : pictureWords.notSaved;
}

export function PictureCard({ name, saved, picture, isBusy, onChoose }: Props) {
  const [refused, setRefused] = useOutcome<RefusedFile | null>(picture?.length, null);
  // What is closed keeps its contents until it is gone, and begins anew with another file.
  const [file, setFile] = useState<File | null>(null);
  const [isCropping, setCropping] = useState(false);
  const shown = picture ?? saved;
  const close = (): void => setCropping(false);

  function refuse(next: RefusedFile): void {
    close();
    setRefused(next);
  }
  const address = usePrepared(file, refuse);

  function onFiles([chosen]: File[]): void {
    if (chosen === undefined) return undefined;
    const why = faultAtSight(chosen);
    if (why !== undefined) return refuse({ name: chosen.name, why });
    setRefused(null);
    setFile(chosen);
    return setCropping(true);
  }
  const photo = usePicturePick({ onFiles });
  const camera = usePicturePick({ camera: "user", onFiles });

  function use(next: string): void {
    close();
    onChoose(next);
  }

  return (
    <section className="card stack picture" aria-label={pictureWords.label}>
      <div className="row picture-seen">
        <Face person={{ displayName: name, profilePictureUrl: shown }} size={80} fallback="U" />
        <div className="grow">
          <p className="dim t14">{words.seenAs}</p>
          <p className="t18 breakable">
            <Words>{name}</Words>
          </p>
          <p className="dim t14" role="status">
            {stateOf(picture) || pictureWords.hint}
          </p>
        </div>
      </div>
      <RefusedPictures refused={refused === null ? [] : [refused]} max={1} />
      <fieldset className="fieldset row s wraps picture-acts" disabled={isBusy}>
        {photo.field}
        {camera.field}
        <Button
          variant="light"
          leftSection={<IconPhoto size={20} />}
          aria-label={shown === "" ? pictureWords.chooseLabel : pictureWords.changeLabel}
          onClick={photo.open}
        >
          {shown === "" ? pictureWords.choose : pictureWords.change}
        </Button>
        <Button variant="default" className="from-camera" aria-label={pictureWords.cameraLabel} onClick={camera.open}>
          {pictureWords.camera}
        </Button>
        {picture !== null && (
          <Button variant="default" leftSection={<IconArrowBackUp size={20} />} onClick={() => onChoose(null)}>
            {pictureWords.undo}
          </Button>
        )}
        {picture === null && saved !== "" && (
          <Button variant="default" leftSection={<IconTrash size={20} />} onClick={() => onChoose("")}>
            {pictureWords.remove}
          </Button>
        )}
      </fieldset>
      <Sheet opened={isCropping} onClose={close} title={pictureWords.crop} skeleton={<CropSkeleton />}>
        {address === "" ? (
          <CropSkeleton />
        ) : (
          <CropPicture
            key={address}
            address={address}
            onUse={use}
            onBroken={() => refuse({ name: file?.name ?? "", why: "unreadable" })}
            onAnother={photo.open}
          />
        )}
      </Sheet>
    </section>
  );
}
