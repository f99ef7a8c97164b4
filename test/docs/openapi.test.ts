import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { readDocument } from "../openapi/document.ts";
import { sharedDemo } from "../support/shared-demo.ts";

const path = join(import.meta.dirname, "../../docs/openapi.json");

/** Sorted by name, so that operations that two people add rarely end up in the same lines. */
const sorted = (entries: object) =>
  Object.fromEntries(Object.entries(entries).toSorted(([a], [b]) => (a < b ? -1 : 1)));

test("docs/openapi.json is the document that Clew serves", async () => {
  const url = await sharedDemo();
  const { paths, components, ...rest } = await readDocument(url);
  const parts = Object.entries(components).map(([name, entries]) => [name, sorted(entries)]);
  const document = { ...rest, paths: sorted(paths), components: Object.fromEntries(parts) };
  const written = `${JSON.stringify(document, null, 2)}\n`;
  if (process.env.WRITE_DOCS === "1") await writeFile(path, written);
  // The whole difference would be longer than anyone reads.
  assert.ok((await readFile(path, "utf8")) === written, "docs/openapi.json is out of date: run npm run docs");
});
