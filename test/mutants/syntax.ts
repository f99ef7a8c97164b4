import { parseAst } from "rolldown/parseAst";

/** A node of a syntax tree (ESTree). Positions count UTF-16 code units. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** Fields that hold types, which do not exist when the program runs. */
const typeFields = new Set([
  "typeAnnotation",
  "typeArguments",
  "typeParameters",
  "superTypeArguments",
  "returnType",
  "implements",
]);

/** Expressions of TypeScript that contain one of JavaScript. Everything else of TypeScript is left out. */
const transparent = new Set(["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"]);

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";

/** The nodes in a field of a node: none, one, or those of a list. */
export function nodesIn(node: SyntaxNode, field: string): readonly SyntaxNode[] {
  return [node[field]].flat().filter(isNode);
}

/** The node in a field, if it holds exactly one. */
export const nodeIn = (node: SyntaxNode, field: string): SyntaxNode | undefined => nodesIn(node, field)[0];

/** The name of an identifier, or the text of a literal. */
export function nameOf(node: SyntaxNode | undefined): string | undefined {
  const name = node?.type === "Identifier" || node?.type === "PrivateIdentifier" ? node.name : node?.value;
  return typeof name === "string" ? name : undefined;
}

/** Parses a module. Throws if its syntax is wrong. */
export const parseModule = (source: string): SyntaxNode =>
  parseAst(source, { lang: "ts" }) as unknown as SyntaxNode;

/** Returns whether a module can be parsed. */
export function isModule(source: string): boolean {
  try {
    parseModule(source);
    return true;
  } catch {
    return false;
  }
}

/** A node with those that it is in, the nearest first. */
export type Visit = (node: SyntaxNode, ancestors: readonly SyntaxNode[]) => "skip" | undefined;

/** Visits the nodes of a program that run, before what they contain. A visit that returns `skip` leaves the contents out. */
export function walk(node: SyntaxNode, visit: Visit, ancestors: readonly SyntaxNode[] = []): void {
  if (node.type.startsWith("TS") && !transparent.has(node.type)) return;
  if (node.type === "ImportDeclaration" || node.declare === true) return;
  if (visit(node, ancestors) === "skip") return;
  const around = [node, ...ancestors];
  for (const field of Object.keys(node)) {
    if (typeFields.has(field)) continue;
    for (const child of nodesIn(node, field)) walk(child, visit, around);
  }
}

const functions = new Set(["ArrowFunctionExpression", "FunctionExpression"]);

/** The names of the functions and classes around a node, the outermost first. */
export function scopeOf(ancestors: readonly SyntaxNode[]): string {
  const names = ancestors.map((node, index) => {
    if (node.type === "FunctionDeclaration" || node.type === "ClassDeclaration")
      return nameOf(nodeIn(node, "id"));
    if (node.type === "MethodDefinition") return nameOf(nodeIn(node, "key"));
    const inner = ancestors[index - 1];
    if (inner === undefined || !functions.has(inner.type)) return undefined;
    if (node.type === "VariableDeclarator") return nameOf(nodeIn(node, "id"));
    return node.type === "Property" ? nameOf(nodeIn(node, "key")) : undefined;
  });
  return names
    .filter((name) => name !== undefined)
    .reverse()
    .join(".");
}
