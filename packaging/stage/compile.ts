import { stripTypeScriptTypes } from "node:module";
import { type ESTree, parseSync, Visitor } from "rolldown/utils";

/** A module as JavaScript, with the modules that it loads. */
export interface CompiledModule {
  readonly code: string;
  /** The specifiers of its imports and threads, as the TypeScript has them. */
  readonly loaded: readonly string[];
}

/**
 * Turns a TypeScript module into JavaScript, as Node does when it runs the file: every token keeps its line and column. The
 * names of modules that it imports, or starts threads of, end in `.js` afterwards. Throws if another string names a `.ts`
 * file: at run time there will be none.
 */
export function compile(file: string, source: string): CompiledModule {
  const stripped = stripTypeScriptTypes(source);
  const specifiers: ESTree.StringLiteral[] = [];
  const others: ESTree.StringLiteral[] = [];
  const { program, errors } = parseSync(file.replace(/ts$/, "js"), stripped);
  if (errors[0] !== undefined) throw new Error(`failed to parse ${file}: ${errors[0].message}`);
  const add = (node: ESTree.Expression | null) => {
    if (isString(node)) specifiers.push(node);
  };
  new Visitor({
    ImportDeclaration: ({ source }) => add(source),
    ExportNamedDeclaration: ({ source }) => add(source),
    ExportAllDeclaration: ({ source }) => add(source),
    ImportExpression: ({ source }) => add(source),
    NewExpression: (node) => add(urlOfModule(node)),
    Literal: (node) => void (isString(node) && others.push(node)),
    TemplateElement: ({ value, start }) => {
      if (isTypeScript(value.raw)) throw leftOver(file, stripped, start);
    },
  }).visit(program);
  const left = others.find((node) => isTypeScript(node.value) && !specifiers.includes(node));
  if (left !== undefined) throw leftOver(file, stripped, left.start);
  let code = stripped;
  for (const { value, end } of specifiers) {
    // As long as before, so that the positions of the others stay.
    if (isTypeScript(value)) code = `${code.slice(0, end - ".ts'".length)}.js${code.slice(end - 1)}`;
  }
  return { code, loaded: specifiers.map(({ value }) => value) };
}

/** Renames a file from TypeScript to JavaScript. Other names stay. */
export const asJavaScript = (path: string): string => path.replace(/\.ts$/, ".js");

const isTypeScript = (text: string) => /\.[cm]?tsx?$/.test(text);

const isString = (node: ESTree.Node | null): node is ESTree.StringLiteral =>
  node?.type === "Literal" && typeof node.value === "string";

/** The address in `new URL("./a-module.ts", import.meta.url)`; null for other expressions. */
function urlOfModule({ callee, arguments: [address, base] }: ESTree.NewExpression): ESTree.Expression | null {
  const isUrl = callee.type === "Identifier" && callee.name === "URL";
  const isBesideModule = base?.type === "MemberExpression" && base.object.type === "MetaProperty";
  if (!isUrl || !isBesideModule || address?.type !== "Literal") return null;
  return isString(address) && isTypeScript(address.value) ? address : null;
}

function leftOver(file: string, source: string, position: number): Error {
  const line = source.slice(0, position).split("\n").length;
  return new Error(`${file}:${line} names a .ts file, which is no import and no new URL(…, import.meta.url)`);
}
