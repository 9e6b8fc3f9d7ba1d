// Writes a file of the contract as the short text that described.ts reads: what proto3 in binary needs, and no more.
import { fromBinary } from "@bufbuild/protobuf";
import { base64Decode } from "@bufbuild/protobuf/wire";
import {
  type DescriptorProto,
  type FieldDescriptorProto,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  type ServiceDescriptorProto,
} from "@bufbuild/protobuf/wkt";

function refuse(what: string): never {
  throw new Error(`described.ts knows nothing of ${what}`);
}

function typeOf({ type, typeName, name }: FieldDescriptorProto, short: (name: string) => string): string {
  if (type === Type.GROUP) refuse(`groups, as ${name} is`);
  if (type === Type.MESSAGE || type === Type.ENUM) return `:${short(typeName)}`;
  return type === Type.STRING ? "" : `:${type}`;
}

function fieldOf(
  message: DescriptorProto,
  field: FieldDescriptorProto,
  before: number,
  short: (name: string) => string,
) {
  const { name, number, label, proto3Optional, oneofIndex, options, defaultValue } = field;
  if (defaultValue !== "" || options?.jstype || options?.features !== undefined) refuse(`what ${name} asks for`);
  const isInside = !proto3Optional && Object.hasOwn(field, "oneofIndex");
  return [
    name,
    number === before + 1 ? "" : `=${number}`,
    label === Label.REPEATED ? "*" : "",
    proto3Optional ? "?" : "",
    typeOf(field, short),
    isInside ? `|${message.oneofDecl[oneofIndex]?.name ?? refuse(name)}` : "",
  ].join("");
}

const isEntry = (message: DescriptorProto): boolean => message.options?.mapEntry === true;

/** `called` is its name with those that it is inside of. */
function messageOf(message: DescriptorProto, short: (name: string) => string, called: string): string[] {
  const { name, field, nestedType, enumType, extension } = message;
  if (enumType.length + extension.length > 0) refuse(`what is inside ${name}`);
  const inside = nestedType.flatMap((nested) =>
    messageOf(nested, short, isEntry(nested) ? `+${nested.name}` : `${called}.${nested.name}`),
  );
  const within = (type: string): string =>
    nestedType.find((nested) => isEntry(nested) && type.endsWith(`.${name}.${nested.name}`))?.name ?? short(type);
  const fields = field.map((one, i) => fieldOf(message, one, field[i - 1]?.number ?? 0, within));
  const own = [called, ...fields].join(" ");
  // A map's entry is known before its message, a message inside another after it.
  return [...inside.filter((line) => line.startsWith("+")), own, ...inside.filter((line) => !line.startsWith("+"))];
}

function serviceOf({ name, method }: ServiceDescriptorProto, short: (name: string) => string): string {
  const methods = method.map((one) => {
    if (one.clientStreaming) refuse(`clients that stream, as of ${one.name}`);
    const [input, output] = [short(one.inputType), short(one.outputType)];
    const isUsual = input === `${one.name}Request` && output === `${one.name}Response`;
    return `${one.name}${one.serverStreaming ? "~" : ""}${isUsual ? "" : `:${input}:${output}`}`;
  });
  return [`%${name}`, ...methods].join(" ");
}

export function textOf(file: FileDescriptorProto): string {
  if (file.syntax !== "proto3" || file.extension.length > 0) refuse(file.name);
  const own = `.${file.package}.`;
  const short = (name: string): string => (name.startsWith(own) ? name.slice(own.length) : name);
  return [
    `${file.name.replace(/\.proto$/, "")} ${file.package}`,
    ...file.messageType.flatMap((message) => messageOf(message, short, message.name)),
    ...file.enumType.map(({ name, value }) => (value[0]?.number === 0 ? `#${name}` : refuse(name))),
    ...file.service.map((service) => serviceOf(service, short)),
  ].join("\n");
}

/** `base64` as the generated code has it. */
export const shortened = (base64: string): string =>
  textOf(fromBinary(FileDescriptorProtoSchema, base64Decode(base64)));
