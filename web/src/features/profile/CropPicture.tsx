// Crops a picture to the square that is sent: moved and zoomed by finger, mouse or keys.
import { Button } from "@mantine/core";
import { useCallback, useRef, useState } from "react";
import Cropper from "react-easy-crop";
import "react-easy-crop/react-easy-crop.css";
import "../../ui/styles/picture.css";
import { type Area, squareOf, ZOOM_MAX } from "./picture";
import { pictureWords as words } from "./words";

const MIDDLE = { x: 0, y: 0 };
const ZOOM_STEP = 0.05;
const MOVE_STEP_PX = 12;

/** `address` is one of the chosen file. */
type Props = { address: string; onUse: (picture: string) => void; onBroken: () => void; onAnother: () => void };

export function CropPicture({ address, onUse, onBroken, onAnother }: Props) {
  const [at, moveTo] = useState(MIDDLE);
  const [zoom, setZoom] = useState(1);
  const area = useRef<Area | null>(null);
  const [isReady, setReady] = useState(false);
  const image = useRef<HTMLImageElement | null>(null);
  // One and the same: the library tells of it with each that is new.
  const took = useCallback((ref: React.RefObject<HTMLImageElement>) => {
    image.current = ref.current;
  }, []);

  function use(): void {
    if (area.current === null || image.current === null) return;
    const picture = squareOf(image.current, area.current);
    if (picture === "") onBroken();
    else onUse(picture);
  }

  return (
    <div className="stack">
      <p className="dim t14">{words.cropHint}</p>
      <div className="crop">
        <Cropper
          image={address}
          crop={at}
          zoom={zoom}
          minZoom={1}
          maxZoom={ZOOM_MAX}
          aspect={1}
          cropShape="round"
          objectFit="cover"
          showGrid={false}
          keyboardStep={MOVE_STEP_PX}
          disableAutomaticStylesInjection
          onCropChange={moveTo}
          onZoomChange={setZoom}
          onCropAreaChange={(_, pixels) => {
            area.current = pixels;
            setReady(true);
          }}
          setImageRef={took}
          mediaProps={{ alt: "", onError: onBroken }}
          cropperProps={{ role: "group", "aria-label": words.cropArea }}
        />
      </div>
      <label className="row zoom">
        <span className="t14 b6">{words.zoom}</span>
        <input
          type="range"
          className="grow"
          min={1}
          max={ZOOM_MAX}
          step={ZOOM_STEP}
          value={zoom}
          onChange={({ currentTarget }) => setZoom(Number(currentTarget.value))}
        />
      </label>
      <Button size="lg" fullWidth loading={!isReady} onClick={use}>
        {words.use}
      </Button>
      <Button variant="default" fullWidth onClick={onAnother}>
        {words.another}
      </Button>
    </div>
  );
}
