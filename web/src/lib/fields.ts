// The state of a form: what is typed, what is wrong with it, checked on leaving a field and on submit.
import { useId, useState } from "react";
import { useRemembered } from "./remembered";

export type Errors<V> = Partial<Record<keyof V & string, string>>;

const filledIn = (values: Record<string, unknown>): object =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));

/**
 * `check` gives the message of each field that is wrong, in the order in which the fields stand. `memory` names a form that is come back
 * to: what is empty at its beginning is as it was left, and is never stored.
 */
export function useFields<V extends Record<string, unknown>>(initial: V, check: (values: V) => Errors<V>, memory = "") {
  const [values, setValues] = useRemembered<V>(memory, (left) => ({ ...initial, ...left, ...filledIn(initial) }));
  const [errors, setErrors] = useState<Errors<V>>({});
  const form = useId();

  const idOf = (name: keyof V & string): string => `${form}-${name}`;

  function set<K extends keyof V & string>(name: K, value: V[K]): void {
    setValues((was) => ({ ...was, [name]: value }));
    setErrors((was) => ({ ...was, [name]: undefined }));
  }

  /** Shows what is wrong and moves the focus to the first of it. */
  function show(wrong: Errors<V>): void {
    setErrors(wrong);
    const first = Object.keys(wrong).find((name) => wrong[name] !== undefined);
    if (first !== undefined) document.getElementById(idOf(first))?.focus();
  }

  return {
    values,
    errors,
    idOf,
    set,
    show,
    replace(next: V): void {
      setValues(next);
      setErrors({});
    },
    /** An empty field that is left is not wrong yet; it is when the form is sent. */
    leave(name: keyof V & string): void {
      if (values[name] === "") return;
      setErrors((was) => ({ ...was, [name]: check(values)[name] }));
    },
    /** Whether the form may be sent. */
    passes(): boolean {
      const wrong = check(values);
      show(wrong);
      return Object.values(wrong).every((message) => message === undefined);
    },
  };
}

export type Fields<V extends Record<string, unknown>> = ReturnType<typeof useFields<V>>;

/** A message that several fields share stands once, at the first of them; the others are only marked. */
function messageAt<V extends Record<string, unknown>>({ errors }: Fields<V>, name: keyof V & string) {
  const message = errors[name];
  const first = Object.keys(errors).find((other) => errors[other] === message);
  return message === undefined || first === name ? message : true;
}

/** What a text input needs to stand for a field. */
export function textField<V extends Record<string, unknown>>(fields: Fields<V>, name: keyof V & string) {
  const error = messageAt(fields, name);
  return {
    id: fields.idOf(name),
    value: String(fields.values[name]),
    error,
    "aria-invalid": error !== undefined,
    onChange: (event: { currentTarget: { value: string } }) =>
      fields.set(name, event.currentTarget.value as V[typeof name]),
    onBlur: () => fields.leave(name),
  };
}
