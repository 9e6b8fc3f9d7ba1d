// Finds words of members that are shown bare, without ui/Words.tsx.
import { parseSync } from "vite";

type Node = { type: string; start: number; [field: string]: unknown };

/** How members' words are called, in messages of the server and in what is made of them. */
const THEIRS = /^(displayName|givenName|firstName|lastName|email|description|message)$/;
/** These are also called so in our own texts: they are members' words where they belong to one of their things. */
const ALSO_OURS = /^(name|title)$/;
const THINGS = /^(favor|requester|helper|user|person|people|friend|member|actor|notification|recipient|event|request)$/;
/** Functions and plain names that come to the name of somebody. */
const NAMES = /^(nameOf|firstName|name|email)$/;
/** Fields of what our parts are given that are shown as they are. */
const SHOWN = /^(value|what|aside)$/;

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Partial<Node>).type === "string";
const partsOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);
const one = (value: unknown): Node[] => [value].flat().filter(isNode);
const nameOf = (node: unknown): string =>
  isNode(node) ? String(node["name"] ?? nameOf(node["property"] ?? node["expression"])) : "";

function isTheirs(node: Node): boolean {
  const name = nameOf(node["property"]);
  return THEIRS.test(name) || (ALSO_OURS.test(name) && THINGS.test(nameOf(node["object"])));
}

/** Where an expression may come to words of members. */
function bare(node: Node): Node[] {
  switch (node.type) {
    case "Identifier":
      return NAMES.test(nameOf(node)) ? [node] : [];
    case "MemberExpression":
      return isTheirs(node) ? [node] : [];
    case "CallExpression":
      return NAMES.test(nameOf(node["callee"])) ? [node] : [];
    case "ConditionalExpression":
      return one([node["consequent"], node["alternate"]]).flatMap(bare);
    case "LogicalExpression":
      return one(node["operator"] === "&&" ? node["right"] : [node["left"], node["right"]]).flatMap(bare);
    case "TemplateLiteral":
      return one(node["expressions"]).flatMap(bare);
    case "JSXExpressionContainer":
    case "ChainExpression":
      return one(node["expression"]).flatMap(bare);
    default:
      return [];
  }
}

const isWords = (node: Node): boolean => nameOf((node["openingElement"] as Node | undefined)?.["name"]) === "Words";

/** What a node itself shows bare, without the nodes in it. */
function shownBy(node: Node): Node[] {
  switch (node.type) {
    case "JSXElement":
    case "JSXFragment":
      return isWords(node) ? [] : one(node["children"]).flatMap(bare);
    case "Property":
      return SHOWN.test(nameOf(node["key"])) ? one(node["value"]).flatMap(bare) : [];
    default:
      return [];
  }
}

const foundIn = (node: Node): Node[] => [...shownBy(node), ...partsOf(node).flatMap(foundIn)];

/** The places in a file where words of members are shown bare. */
export function bareIn(file: string, code: string): string[] {
  const found = foundIn(parseSync(file, code).program as unknown as Node);
  return found.map(
    ({ start }) => `${file}:${code.slice(0, start).split("\n").length} ${code.slice(start).split("\n")[0] ?? ""}`,
  );
}
