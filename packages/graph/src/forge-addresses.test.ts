import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeAtForge, readForgeAddress } from "./forge-addresses.ts";
import { buildGraph } from "./testing/graph-input.ts";
import { id, page } from "./testing/samples.ts";

const graphOf = (urls: readonly (string | null)[]) =>
  buildGraph({ nodes: urls.map((url, index) => ({ ...page(index + 1), url })), references: [] });

test("SRC-3: addresses of files are read in the forms of each forge, whatever is shown of them", () => {
  const parts = ["main", "docs", "a b.md"];
  for (const [address, repository] of [
    ["https://github.com/Owner/Name/blob/main/docs/a%20b.md#part", "github.com/owner/name"],
    ["https://github.com/owner/name/blame/main/docs/a%20b.md?plain=1", "github.com/owner/name"],
    ["https://raw.githubusercontent.com/owner/name/main/docs/a%20b.md", "github.com/owner/name"],
    ["https://gitlab.com/group/sub/name/-/blob/main/docs/a%20b.md", "gitlab.com/group/sub/name"],
    ["https://codeberg.org/owner/name/src/branch/main/docs/a%20b.md", "codeberg.org/owner/name"],
    ["http://gitea.example:3000/owner/name/raw/commit/main/docs/a%20b.md", "gitea.example:3000/owner/name"],
  ] as const)
    assert.deepEqual(readForgeAddress(address), { repository, parts }, address);
  for (const address of [
    "https://github.com/owner/name",
    "https://github.com/owner/name/issues/1",
    "https://github.com/owner/name/blob/",
    "https://github.com/owner/name/blob/main/%E0%A4%A",
    "ftp://github.com/owner/name/blob/main/a.md",
    "no address",
  ])
    assert.equal(readForgeAddress(address), null, address);
});

test("SRC-5: an address at a forge finds the page of its file, whatever branch or commit it names", () => {
  const base = "https://github.com/owner/name";
  const graph = graphOf([
    `${base}/blob/main/docs/a.md`,
    `${base}/blob/main/docs/README.md`,
    `${base}/blob/main/docs/index.md`,
    `${base}/blob/main/a.md`,
    null,
  ]);
  const found = (address: string) => nodeAtForge(graph, address);
  for (const revision of ["main", "v1.2", "0".repeat(40), "feature/x/y"]) {
    assert.equal(found(`${base}/blob/${revision}/docs/a.md#heading`), id(1), revision);
    assert.equal(
      found(`https://raw.githubusercontent.com/Owner/name/${revision}/docs/a.md`),
      id(1),
      revision,
    );
    assert.equal(found(`${base}/tree/${revision}/docs/`), id(3), revision);
  }
  assert.equal(found(`${base}/blob/main/a.md`), id(4));
  assert.equal(found(`${base}/blob/main/docs/b.md`), null);
  assert.equal(found("https://github.com/owner/other/blob/main/docs/a.md"), null);
  assert.equal(found("https://gitlab.com/owner/name/-/blob/main/docs/a.md"), null);
  assert.equal(nodeAtForge(graphOf(["https://pages.example/1", null]), `${base}/blob/main/a.md`), null);
});
