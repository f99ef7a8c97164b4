import assert from "node:assert/strict";
import { test } from "node:test";
import { assertQuick } from "../testing/effort.ts";
import { prepare } from "./prepare.ts";
import { readDocument } from "./read-document.ts";

test("SRC-2: no text takes much longer to prepare for the Markdown parser than prose of its length", () => {
  for (const flavour of ["md", "mdx"] as const) assertQuick(flavour, (text) => prepare(text, flavour));
});

test("SRC-2: quotes and brackets that are nested without end are read as text, soon and without an error", () => {
  const resolver = { hyperlink: elsewhere, wikiLink: elsewhere };
  for (const unit of ["> ", ">", "- ", "* ", "1. ", "["]) {
    const start = process.threadCpuUsage();
    const { blocks } = readDocument(unit.repeat(10_000), "md", "Title", resolver);
    const { user } = process.threadCpuUsage(start);
    assert.equal(blocks.length, 1);
    // A stack of ten thousand is an error, or takes tens of seconds.
    assert.ok(user < 5_000_000, `${unit}: ${user / 1_000} ms`);
  }
});

const elsewhere = () => ({ kind: "elsewhere" }) as const;
