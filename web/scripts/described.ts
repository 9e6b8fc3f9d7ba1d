// What the browser knows of the contract: short texts, written by shorten.ts when the app is built, become what @bufbuild/protobuf works with.
// The library would read descriptors in binary, and bring all that describes descriptors with it.
import type {
  DescEnum,
  DescField,
  DescFile,
  DescMessage,
  DescMethod,
  DescOneof,
  DescService,
} from "@bufbuild/protobuf";

const STRING = 9;
const BYTES = 12;
const EXPLICIT = 1;
const IMPLICIT = 2;
const PROTO3 = 999;

type Type = DescMessage | DescEnum;
type Find = (name: string) => Type;

const camel = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

const newMessage = (file: DescFile, name: string, typeName: string, parent?: DescMessage): DescMessage =>
  ({
    kind: "message",
    file,
    parent,
    name,
    typeName,
    deprecated: false,
    fields: [],
    field: {},
    oneofs: [],
    members: [],
    nestedEnums: [],
    nestedMessages: [],
    nestedExtensions: [],
  }) as unknown as DescMessage;

/** In proto3 only the first value of an enum matters to the wire, and all others pass. */
const newEnum = (file: DescFile, name: string, typeName: string): DescEnum =>
  ({
    kind: "enum",
    file,
    name,
    typeName,
    deprecated: false,
    open: true,
    values: [{ number: 0 }],
  }) as unknown as DescEnum;

/** What a field holds: one thing, a list, or a map of what its entry's fields hold. */
function holdingOf(type: Type | number, repeated: boolean, entry: DescMessage | undefined): object {
  if (entry !== undefined) {
    const [key, value] = entry.fields;
    return { ...value, fieldKind: "map", mapKey: key?.scalar, mapKind: value?.fieldKind, packed: undefined };
  }
  const kind = typeof type === "number" ? "scalar" : type.kind;
  return {
    [kind]: type,
    fieldKind: repeated ? "list" : kind,
    ...(repeated ? { listKind: kind } : { getDefaultValue: () => undefined }),
    ...(kind === "scalar" ? { longAsString: false } : {}),
    ...(kind === "message" ? { delimitedEncoding: false } : {}),
    ...(repeated ? { packed: kind === "enum" || (kind === "scalar" && type !== STRING && type !== BYTES) } : {}),
  };
}

function oneofOf(parent: DescMessage, name: string | undefined): DescOneof | undefined {
  if (name === undefined) return undefined;
  const known = parent.oneofs.find((oneof) => oneof.name === name);
  if (known !== undefined) return known;
  const oneof = { kind: "oneof", parent, name, localName: camel(name), deprecated: false, fields: [] };
  parent.oneofs.push(oneof as unknown as DescOneof);
  parent.members.push(oneof as unknown as DescOneof);
  return oneof as unknown as DescOneof;
}

/** `name=number*?:type|oneof`: the number where it does not follow the one before, the type where it is no string. */
const FIELD = /^(\w+)(?:=(\d+))?(\*?)(\??)(?::([\w.]+))?(?:\|(\w+))?$/;

function addField(parent: DescMessage, text: string, find: Find, entries: readonly DescMessage[]): void {
  const [, name = "", number, repeated, optional, typed = String(STRING), inside] = FIELD.exec(text) ?? [];
  const entry = entries.find((one) => one.name === typed);
  const type = /^\d+$/.test(typed) ? Number(typed) : (entry ?? find(typed));
  const oneof = oneofOf(parent, inside);
  const isExplicit = !repeated && (optional || oneof || (typeof type === "object" && type.kind === "message"));
  const field = {
    ...holdingOf(type, repeated === "*", entry),
    kind: "field",
    parent,
    name,
    localName: camel(name),
    jsonName: camel(name),
    number: number === undefined ? (parent.fields.at(-1)?.number ?? 0) + 1 : Number(number),
    deprecated: false,
    utf8Validation: true,
    oneof,
    presence: isExplicit ? EXPLICIT : IMPLICIT,
  } as unknown as DescField;
  parent.fields.push(field);
  parent.field[field.localName] = field;
  if (oneof === undefined) parent.members.push(field);
  else oneof.fields.push(field);
}

/** `Name`, `Name~` for one that streams, `Name:Input:Output` where those have other names. */
function addMethod(parent: DescService, text: string, find: Find): void {
  const [method = "", input = "", output = ""] = text.split(":");
  const name = method.replace("~", "");
  const localName = name.charAt(0).toLowerCase() + name.slice(1);
  const desc = {
    kind: "rpc",
    parent,
    name,
    localName,
    deprecated: false,
    idempotency: 0,
    methodKind: name === method ? "unary" : "server_streaming",
    input: find(input || `${name}Request`),
    output: find(output || `${name}Response`),
  } as unknown as DescMethod;
  parent.methods.push(desc);
  parent.method[localName] = desc;
}

function newService(file: DescFile, name: string, typeName: string): DescService {
  return {
    kind: "service",
    file,
    name,
    typeName,
    deprecated: false,
    methods: [],
    method: {},
  } as unknown as DescService;
}

/** A line of a file: `+` begins the entry of a map in the message that follows, `#` an enum, `%` a service. `A.B` is inside A. */
const LINE = /^([+#%]?)(\S+) ?(.*)$/;

/** Stands for `fileDesc` of the generated code. */
export function described(text: string, imports: readonly DescFile[] = []): DescFile {
  const [head = "", ...lines] = text.split("\n");
  const [fileName, ofPackage] = head.split(" ");
  const [messages, enums, services]: [DescMessage[], DescEnum[], DescService[]] = [[], [], []];
  const file = {
    kind: "file",
    name: fileName,
    edition: PROTO3,
    deprecated: false,
    dependencies: imports,
    messages,
    enums,
    services,
    extensions: [],
  } as unknown as DescFile;

  const own = new Map<string, DescMessage | DescEnum | DescService>();
  function add<T extends DescMessage | DescEnum | DescService>(to: T[], called: string, made: T): void {
    to.push(made);
    own.set(called, made);
  }
  function name(sign: string, called: string): void {
    const typeName = `${ofPackage}.${called}`;
    const [inner = "", outer = ""] = called.split(".").toReversed();
    const parent = own.get(outer) as DescMessage | undefined;
    if (sign === "") add(parent?.nestedMessages ?? messages, called, newMessage(file, inner, typeName, parent));
    if (sign === "#") add(enums, called, newEnum(file, called, typeName));
    if (sign === "%") add(services, called, newService(file, called, typeName));
  }
  const find: Find = (called) => {
    const known = own.get(called);
    if (known !== undefined && known.kind !== "service") return known;
    for (const one of imports)
      for (const type of [...one.messages, ...one.enums]) if (`.${type.typeName}` === called) return type;
    throw new Error(`${called} is not in the contract`);
  };

  const read = lines.map((line) => LINE.exec(line) ?? []);
  // First all names: messages hold each other.
  for (const [, sign = "", called = ""] of read) name(sign, called);
  let entries: DescMessage[] = [];
  for (const [, sign, called = "", rest = ""] of read) {
    const parts = rest.split(" ").filter(Boolean);
    if (sign === "+") {
      const entry = newMessage(file, called, called);
      for (const part of parts) addField(entry, part, find, []);
      entries.push(entry);
      continue;
    }
    const desc = own.get(called);
    if (desc?.kind === "message") for (const part of parts) addField(desc, part, find, entries);
    if (desc?.kind === "service") for (const part of parts) addMethod(desc, part, find);
    entries = [];
  }
  return file;
}
