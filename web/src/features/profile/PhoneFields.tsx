// A phone number: the country that it is of, and the number as that country writes it.
import { TextInput } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { type ReactNode, useId } from "react";
import { type Fields, textField } from "../../lib/fields";
import "../../ui/styles/phone.css";
import { callingCodeOf, COUNTRIES, countryName, knownCountry, tidy, type Typed, typed } from "./phone";
import { words } from "./words";

type Props<V extends Typed> = {
  fields: Fields<V>;
  label: string;
  /** What stands under it. */
  children?: ReactNode;
};

export function PhoneFields<V extends Typed & Record<string, unknown>>({ fields, label, children }: Props<V>) {
  const id = useId();
  const { values } = fields;
  const code = knownCountry(values.country);

  function become(next: Typed): void {
    if (next.country !== values.country) fields.set("country", next.country as V["country"]);
    if (next.phone !== values.phone) fields.set("phone", next.phone as V["phone"]);
  }

  const { onBlur, ...field } = textField(fields, "phone");
  return (
    <div>
      <span className="lbl" id={`${id}-label`}>
        {label}
      </span>
      <div className="phone">
        <div className="phone-c">
          <span aria-hidden="true" className="num">
            {words.callingCode(callingCodeOf(code))}
          </span>
          <IconChevronDown size={18} aria-hidden="true" />
          <select
            aria-label={words.country}
            value={code}
            onChange={(event) => become({ country: event.currentTarget.value, phone: values.phone })}
          >
            {COUNTRIES.map((one) => (
              <option key={one} value={one}>
                {words.countryOf(countryName(one), callingCodeOf(one))}
              </option>
            ))}
          </select>
        </div>
        <TextInput
          type="tel"
          autoComplete="tel"
          inputMode="tel"
          placeholder={callingCodeOf(code) === callingCodeOf("US") ? words.phoneExample : undefined}
          {...field}
          error={field.error !== undefined}
          aria-labelledby={`${id}-label`}
          aria-describedby={field.error === undefined ? undefined : `${id}-wrong`}
          onChange={({ currentTarget: { value, selectionStart } }) =>
            become(typed(values, value, selectionStart === null || selectionStart === value.length))
          }
          onBlur={() => {
            become(tidy(values));
            onBlur();
          }}
        />
      </div>
      {field.error !== undefined && (
        <div className="msg" id={`${id}-wrong`}>
          {field.error}
        </div>
      )}
      {children}
    </div>
  );
}
