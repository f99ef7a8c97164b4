import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { blockTree, type Inline, inlineTree, plainText, type TreeBlock } from "@clew/text";
import { referencesIn } from "../../packages/notion/src/testing/texts.ts";

interface Example {
  readonly markdown: string;
  /** The fenced blocks after it, by their language. */
  readonly expected: ReadonlyMap<string, string>;
}

function examplesIn(document: string): Example[] {
  const examples: { markdown: string; expected: Map<string, string> }[] = [];
  for (const [, , language = "", text = ""] of document.matchAll(/^(`{3,})(\w+)\n([\s\S]*?)\n\1$/gm)) {
    if (language === "markdown") examples.push({ markdown: text, expected: new Map() });
    else examples.at(-1)?.expected.set(language, text);
  }
  return examples;
}

const shownInline = (pieces: readonly Inline[]): string =>
  pieces
    .map((piece) => {
      if (piece.kind === "text") return piece.text;
      if (piece.kind === "break") return "⏎";
      if ("text" in piece) return `${piece.kind}(${piece.text})`;
      const address = "address" in piece ? `${piece.address}|` : "";
      return `${piece.kind}(${address}${shownInline(piece.children)})`;
    })
    .join("");

const shownLine = (line: string) => shownInline(inlineTree(line));

function shownContent(block: TreeBlock): string {
  switch (block.kind) {
    case "heading":
      return ` ${block.level}: ${shownLine(block.line)}`;
    case "number":
      return ` ${block.number}: ${shownLine(block.line)}`;
    case "todo":
      return ` ${block.isDone}: ${shownLine(block.line)}`;
    case "callout":
      return ` ${block.icon}`;
    case "code":
      return ` ${block.language}: ${block.text.replaceAll("\n", "⏎")}`;
    case "equation":
      return `: ${block.text}`;
    case "table":
      return `${block.hasHeader ? " header" : ""}: ${block.rows.map((row) => row.map(shownLine).join(", ")).join("; ")}`;
    default:
      return "line" in block ? `: ${shownLine(block.line)}` : "";
  }
}

const shownTree = (blocks: readonly TreeBlock[], indent = ""): string[] =>
  blocks.flatMap((block) => [
    `${indent}${block.kind}${shownContent(block)}`,
    ...shownTree(block.children, `${indent}\t`),
  ]);

function shownReferences(markdown: string): string[] {
  const { references, children } = referencesIn(markdown);
  return [
    ...references.map(({ type, targetId, targetName }) => [type, targetId, targetName]),
    ...children.map(({ id, name }) => ["child", id, name]),
  ].map((words) => words.filter((word) => word !== undefined).join(" "));
}

const readers: Readonly<Record<string, (markdown: string) => string>> = {
  text: (markdown) => plainText(markdown).text,
  tree: (markdown) => shownTree(blockTree(markdown)).join("\n"),
  references: (markdown) => shownReferences(markdown).join("\n"),
};

const examples = examplesIn(readFileSync(join(import.meta.dirname, "../../docs/markdown.md"), "utf8"));

test("docs/markdown.md has examples of every reader", () => {
  const languages = new Set(examples.flatMap(({ expected }) => [...expected.keys()]));
  assert.deepEqual([...languages].toSorted(), Object.keys(readers).toSorted());
});

for (const { markdown, expected } of examples)
  for (const [language, text] of expected)
    test(`docs/markdown.md: ${language} of ${markdown.slice(0, 40).replaceAll("\n", "⏎")}`, () => {
      assert.equal(readers[language]?.(markdown), text);
    });
