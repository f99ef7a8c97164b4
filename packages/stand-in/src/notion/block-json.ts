import type { Block, PlacedBlock } from "../document/block.ts";
import type { Entry } from "../workspace/entry.ts";
import { historyJson, type JsonObject, parentJson } from "./object-json.ts";
import { plainRichText, richText } from "./rich-text.ts";
import type { View } from "./view.ts";

/** A block object (https://developers.notion.com/reference/block). */
export function blockJson(page: Entry, placed: PlacedBlock, view: View): JsonObject {
  const { block, parent, children } = placed;
  if (block.type === "child") {
    const child = view.workspace.entry(block.id);
    if (child !== null) return entryBlockJson(child, view);
  }
  const type = block.type === "heading" ? `heading_${block.level}` : block.type;
  return {
    object: "block",
    id: placed.id,
    parent:
      parent === null ? { type: "page_id", page_id: page.id } : { type: "block_id", block_id: parent.id },
    ...historyJson(page, view.workspace),
    has_children: children.length > 0,
    in_trash: page.inTrash,
    type,
    [type]: contentJson(block, view),
  };
}

/** The block of a page or database in its parent. */
export function entryBlockJson(entry: Entry, view: View): JsonObject {
  const type = entry.kind === "page" ? "child_page" : "child_database";
  return {
    object: "block",
    id: entry.id,
    parent: parentJson(entry),
    ...historyJson(entry, view.workspace),
    has_children:
      entry.kind === "page" && (entry.children.some(({ inTrash }) => !inTrash) || entry.body.trim() !== ""),
    in_trash: entry.inTrash,
    type,
    [type]: { title: entry.title },
  };
}

function contentJson(block: Block, view: View): JsonObject {
  const color = "default";
  switch (block.type) {
    case "heading":
      return { rich_text: richText(block.text, view), is_toggleable: false, color };
    case "to_do":
      return { rich_text: richText(block.text, view), checked: block.checked, color };
    case "callout":
      return { rich_text: richText(block.text, view), icon: { type: "emoji", emoji: block.icon }, color };
    case "code":
      return { caption: [], rich_text: plainRichText(block.code), language: codeLanguage(block.language) };
    case "equation":
      return { expression: block.expression };
    case "image":
      return { caption: plainRichText(block.caption), type: "external", external: { url: block.url } };
    case "table":
      return { table_width: block.width, has_column_header: block.hasHeader, has_row_header: false };
    case "table_row":
      return { cells: block.cells.map((cell) => richText(cell, view)) };
    default:
      return "text" in block ? { rich_text: richText(block.text, view), color } : {};
  }
}

/** The languages that a code block may have (https://developers.notion.com/reference/block#code). */
const languages = new Set(
  "abap|abc|agda|arduino|ascii art|assembly|bash|basic|bnf|c|c#|c++|clojure|coffeescript|coq|css|dart|dhall|diff|docker|ebnf|elixir|elm|erlang|f#|flow|fortran|gherkin|glsl|go|graphql|groovy|haskell|hcl|html|idris|java|java/c/c++/c#|javascript|json|julia|kotlin|latex|less|lisp|livescript|llvm ir|lua|makefile|markdown|markup|matlab|mathematica|mermaid|nix|notion formula|objective-c|ocaml|pascal|perl|php|plain text|powershell|prolog|protobuf|purescript|python|r|racket|reason|ruby|rust|sass|scala|scheme|scss|shell|smalltalk|solidity|sql|swift|toml|typescript|vb.net|verilog|vhdl|visual basic|webassembly|xml|yaml".split(
    "|",
  ),
);

const aliases: Readonly<Record<string, string>> = {
  console: "shell",
  cpp: "c++",
  cs: "c#",
  csharp: "c#",
  dockerfile: "docker",
  fsharp: "f#",
  golang: "go",
  hs: "haskell",
  js: "javascript",
  json5: "json",
  jsonc: "json",
  jsx: "javascript",
  kt: "kotlin",
  make: "makefile",
  md: "markdown",
  mdx: "markdown",
  objc: "objective-c",
  ps1: "powershell",
  py: "python",
  rb: "ruby",
  rs: "rust",
  sh: "shell",
  tex: "latex",
  ts: "typescript",
  tsx: "typescript",
  wasm: "webassembly",
  yml: "yaml",
  zsh: "shell",
};

/** Notion's name for the language of a fence; `plain text` if it has none. */
export function codeLanguage(name: string): string {
  const key = name.toLowerCase();
  const language = aliases[key] ?? key;
  return languages.has(language) ? language : "plain text";
}
