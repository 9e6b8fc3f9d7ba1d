// What the built app knows of the contract is what the library reads of it.
import type { DescField, DescFile, DescMessage, DescMethod } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { described } from "../../scripts/described";
import { textOf } from "../../scripts/shorten";

const modules = import.meta.glob<Record<string, unknown>>("../gen/**/*_pb.ts", { eager: true });

const isFile = (value: unknown): value is DescFile =>
  typeof value === "object" && value !== null && "kind" in value && value.kind === "file";
const files = Object.values(modules).flatMap((module) => Object.values(module).filter(isFile));

const shortOf = (file: DescFile): DescFile => described(textOf(file.proto), file.dependencies.map(shortOf));

const SAME = "name localName number fieldKind scalar presence utf8Validation listKind mapKind mapKey packed".split(" ");
/** All but what only other formats ask for: JSON has names of its own, and text the values of enums. */
const fieldOf = (field: DescField) => {
  const all: Record<string, unknown> = { ...field };
  return {
    ...Object.fromEntries(SAME.map((key) => [key, all[key]])),
    flags: [all["longAsString"] === true, all["delimitedEncoding"] === true, field.enum?.open],
    held: [field.message?.typeName, field.enum?.typeName, field.enum?.values[0]?.number, field.oneof?.localName],
  };
};
const messageOf = ({ typeName, fields, field, members, oneofs, file, nestedMessages }: DescMessage): object => ({
  typeName,
  nested: nestedMessages.map(messageOf),
  edition: file.edition,
  fields: fields.map(fieldOf),
  names: Object.keys(field),
  members: members.map((member) => member.localName),
  oneofs: oneofs.map((oneof) => [oneof.localName, oneof.fields.map((inside) => inside.name)]),
});
const methodOf = ({ name, localName, methodKind, input, output, parent }: DescMethod) => [
  [parent.typeName, name, localName, methodKind, input.typeName, output.typeName],
];

const contentOf = ({ name, messages, enums, services }: DescFile) => ({
  name,
  messages: messages.map(messageOf),
  enums: enums.map(({ typeName }) => typeName),
  services: services.map(({ methods, method }) => [Object.keys(method), methods.map(methodOf)]),
});

it.each(files.map((file) => [file.name, file] as const))("%s_is_described_in_short", (_name, file) => {
  expect(contentOf(shortOf(file))).toEqual(contentOf(file));
});

it("the_whole_contract_is_looked_at", () => expect(files.length).toBeGreaterThan(8));
