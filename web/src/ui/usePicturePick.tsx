// Chooses pictures by a button that looks as all others do: from those on the device, or with its camera.
import { type ChangeEvent, type ReactNode, useRef } from "react";
import { PICTURE_TYPES } from "../lib/pictureFile";

type Options = {
  /** Phones open this camera in place of their pictures. */
  camera?: "user" | "environment";
  several?: boolean;
  disabled?: boolean;
  onFiles: (files: File[]) => void;
};

/** @returns the field, which stays hidden, and what opens the choice. */
export function usePicturePick({ camera, several = false, disabled = false, onFiles }: Options): {
  field: ReactNode;
  open: () => void;
} {
  const input = useRef<HTMLInputElement>(null);
  function took({ currentTarget }: ChangeEvent<HTMLInputElement>): void {
    const files = currentTarget.files === null ? [] : [...currentTarget.files];
    // The same one can be chosen again.
    currentTarget.value = "";
    if (files.length > 0) onFiles(files);
  }
  const field = (
    <input
      ref={input}
      type="file"
      hidden
      accept={PICTURE_TYPES.join(",")}
      capture={camera}
      multiple={several}
      disabled={disabled}
      onChange={took}
    />
  );
  return { field, open: () => input.current?.click() };
}
