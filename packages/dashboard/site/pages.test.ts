import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { destinationOf } from "./destinations.ts";
import { addressOf, docsSections, unlisted } from "./pages.ts";

const root = join(import.meta.dirname, "../../..");
const listed = docsSections.flatMap(({ pages }) => pages.map(({ file }) => file));

test("each page below docs, and each at the root, is in the list of pages once", () => {
  const written = globSync(["*.md", "docs/**/*.md"], { cwd: root });
  const expected = written.filter((file) => !file.startsWith(unlisted) || listed.includes(file));
  assert.deepEqual(listed.toSorted(), expected.toSorted());
});

test("no two pages have one address, and none has that of the reference, of the pictures or of the index", () => {
  const addresses = [...listed.map(addressOf), "api", "pictures", "search.json"];
  assert.equal(new Set(addresses).size, addresses.length);
  assert.deepEqual(
    [
      "README.md",
      "SECURITY.md",
      "docs/agents.md",
      "docs/decisions/README.md",
      "docs/decisions/0001-x.md",
    ].map(addressOf),
    ["", "security", "agents", "decisions", "decisions/0001-x"],
  );
});

test("a link leads to a page of the site, to a picture in light and dark, to another site, or names a file", () => {
  const linkable = {
    pages: new Set(["README.md", "docs/agents.md", "docs/decisions/README.md"]),
    pictures: new Set(["docs/pictures/map.webp", "docs/pictures/map-dark.webp", "docs/pictures/page.webp"]),
  };
  const from = (file: string) => (address: string) => destinationOf(file, address, linkable);
  const agents = from("docs/agents.md");
  assert.deepEqual(agents("#costs"), { kind: "page", href: "agents#costs" });
  assert.deepEqual(agents("../README.md"), { kind: "page", href: "./" });
  assert.deepEqual(agents("../README.md#start"), { kind: "page", href: "./#start" });
  assert.deepEqual(agents("decisions/"), { kind: "page", href: "decisions" });
  assert.deepEqual(from("README.md")("docs/decisions"), { kind: "page", href: "decisions" });
  assert.deepEqual(from("docs/decisions/README.md")("../agents.md#a"), { kind: "page", href: "agents#a" });
  assert.deepEqual(agents("https://example.org/a#b"), { kind: "elsewhere", href: "https://example.org/a#b" });
  assert.deepEqual(agents("../packages/text/README.md"), { kind: "file", path: "packages/text/README.md" });
  assert.deepEqual(agents("pictures/map.webp"), {
    kind: "picture",
    src: "pictures/map.webp",
    darkSrc: "pictures/map-dark.webp",
  });
  assert.deepEqual(agents("pictures/page.webp"), {
    kind: "picture",
    src: "pictures/page.webp",
    darkSrc: null,
  });
});
