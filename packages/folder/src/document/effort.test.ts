import assert from "node:assert/strict";
import { test } from "node:test";
import { assertQuick } from "../testing/effort.ts";
import { prepare } from "./prepare.ts";
import { readDocument } from "./read-document.ts";

test("SRC-2: no text takes much longer to prepare for the Markdown parser than prose of its length", () => {
  for (const flavour of ["md", "mdx"] as const) assertQuick(flavour, (text) => prepare(text, flavour));
});

test("SRC-2: quotes, brackets and emphasis that are nested without end are read as text, soon and without an error", () => {
  const resolver = { hyperlink: elsewhere, wikiLink: elsewhere };
  // Of several pieces, which begin within a line.
  const long = "123456789.  ".repeat(12_000);
  const texts = [
    ...["> ", ">", "- ", "* ", "1. ", "[", "]"].map((unit) => unit.repeat(10_000)),
    "[".repeat(10_000) + "]".repeat(10_000),
    "**a ".repeat(5_000) + " b**".repeat(5_000),
    `${"*".repeat(10_000)}a${"*".repeat(10_000)}`,
    "a**a".repeat(10_000),
    "![[www.".repeat(9_000),
    long,
    "*a __b ~~c ".repeat(2_000) + " d~~ e__ f*".repeat(2_000),
  ];
  for (const text of texts) {
    const start = process.threadCpuUsage();
    const { blocks } = readDocument(text, "md", "Title", resolver);
    const { user } = process.threadCpuUsage(start);
    assert.ok(text === long || blocks.length === 1);
    // A stack of ten thousand is an error, or takes tens of seconds.
    assert.ok(user < 5_000_000, `${text.slice(0, 10)}: ${user / 1_000} ms`);
  }
});

const elsewhere = () => ({ kind: "elsewhere" }) as const;
