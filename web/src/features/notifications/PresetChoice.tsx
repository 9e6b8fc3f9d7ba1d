// How much is mailed: a preset for all topics at once, or "Custom" where none of them fits.
import { useId } from "react";
import { Radio } from "../../ui/Radio";
import { PRESETS, type Preset } from "./presets";
import { settingsWords as words } from "./settingsWords";

type ChoiceProps = { of: Preset | "custom"; name: string; isChosen: boolean; onChoose: () => void };

function Choice({ of, name, isChosen, onChoose }: ChoiceProps) {
  const id = useId();
  const { label, text } = words.presets[of];
  return (
    <label className="ntf" htmlFor={id}>
      <Radio
        id={id}
        name={name}
        checked={isChosen}
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-text`}
        onChange={onChoose}
      />
      <span className="grow">
        <span className="b6 block" id={`${id}-label`}>
          {label}
        </span>
        <span className="dim t14 block" id={`${id}-text`}>
          {text}
        </span>
      </span>
    </label>
  );
}

type Props = { chosen: Preset | undefined; onChoose: (preset: Preset) => void };

export function PresetChoice({ chosen, onChoose }: Props) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={words.howMuch} className="card flush rows">
      {PRESETS.map((preset) => (
        <Choice key={preset} of={preset} name={name} isChosen={preset === chosen} onChoose={() => onChoose(preset)} />
      ))}
      {chosen === undefined && <Choice of="custom" name={name} isChosen onChoose={() => undefined} />}
    </div>
  );
}
