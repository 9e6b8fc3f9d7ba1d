// Finds texts for people that stand in the code of a part instead of its words.ts.
import { parseSync } from "vite";

type Node = { type: string; start: number; [field: string]: unknown };
type Text = { text: string; start: number };

/** What is shown or read out: as attributes, as props of our parts, and as fields of what they are given. */
const SHOWN =
  /^(aria-(label|description|roledescription|valuetext)|alt|title|placeholder|label|description|text|failed|note|what|when|yes|no)$/;
/** Functions that show what they are told. */
const SAYS = /^(say|sayFailure|toast|useTitle|confirmed)$/;
const SENTENCE = /^\p{Lu}[\p{L}’']*[,:]?\s\p{L}/u;
/** Words of the code itself: a tone. */
const TONE = /^(ok|idle|no|wait|busy)$/;

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Partial<Node>).type === "string";

const partsOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);
const one = (value: unknown): Node[] => [value].flat().filter(isNode);

/** The texts that an expression may come to. */
function values(node: Node): Text[] {
  switch (node.type) {
    case "Literal":
    case "JSXText":
      return typeof node["value"] === "string" ? [{ text: node["value"], start: node.start }] : [];
    case "TemplateElement":
      return [{ text: (node["value"] as { raw: string }).raw, start: node.start }];
    case "TemplateLiteral":
      return one(node["quasis"]).flatMap(values);
    case "ConditionalExpression":
      return one([node["consequent"], node["alternate"]]).flatMap(values);
    case "LogicalExpression":
      return one([node["left"], node["right"]]).flatMap(values);
    case "BinaryExpression":
      return node["operator"] === "+" ? one([node["left"], node["right"]]).flatMap(values) : [];
    case "JSXExpressionContainer":
      return one(node["expression"]).flatMap(values);
    default:
      return [];
  }
}

function nameOf(node: unknown): string {
  return isNode(node) ? String(node["name"] ?? node["value"] ?? "") : "";
}

/** A field that is called as it is told, as `title: "title"`, names something and shows nothing. */
function fieldOf(name: string, value: unknown): Text[] {
  return SHOWN.test(name)
    ? one(value)
        .flatMap(values)
        .filter(({ text }) => text !== name)
    : [];
}

/** What a node itself shows, without the nodes in it. */
function shownBy(node: Node): Text[] {
  switch (node.type) {
    case "JSXElement":
    case "JSXFragment":
      return one(node["children"]).flatMap(values);
    case "JSXAttribute":
      return SHOWN.test(nameOf(node["name"])) ? one(node["value"]).flatMap(values) : [];
    case "Property":
      return fieldOf(nameOf(node["key"]), node["value"]);
    case "CallExpression":
      return SAYS.test(nameOf(node["callee"])) ? one(node["arguments"]).flatMap(values) : [];
    case "Literal":
    case "TemplateElement":
      return values(node).filter(({ text }) => SENTENCE.test(text));
    default:
      return [];
  }
}

/** What is thrown or logged is for the people who write the app. */
function isForUs(node: Node): boolean {
  const callee = node["callee"];
  return node.type === "ThrowStatement" || (isNode(callee) && nameOf(callee["object"]) === "console");
}

const textsOf = (node: Node): Text[] => (isForUs(node) ? [] : [...shownBy(node), ...partsOf(node).flatMap(textsOf)]);

/** The texts in a file of TypeScript, each with its line. */
export function textsIn(file: string, code: string): string[] {
  const found = textsOf(parseSync(file, code).program as unknown as Node).filter(
    ({ text }) => /\p{L}/u.test(text) && !TONE.test(text),
  );
  const lines = found.map(({ text, start }) => `${file}:${code.slice(0, start).split("\n").length} ${text.trim()}`);
  return [...new Set(lines)];
}
