import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { blockOfUrl, pageOfUrl, urlOfPage } from "./page-url.ts";

const hex = "0123456789abcdef0123456789abcdef";
const id = "01234567-89ab-cdef-0123-456789abcdef";
const other = "fedcba9876543210fedcba9876543210";

for (const address of [
  `https://www.notion.so/A-title-${hex}`,
  `https://www.notion.so/${hex}`,
  `https://www.notion.so/${id}`,
  `https://www.notion.so/some-workspace/A-title-${hex}`,
  `https://www.notion.so/some-workspace/${hex}?v=${other}`,
  `https://notion.so/A-title-${hex}`,
  `https://notion.so/${id}`,
  `https://www.notion.so/A-title-${id}`,
  `http://www.notion.so/A-title-${hex}`,
  `https://WWW.NOTION.SO/A-title-${hex.toUpperCase()}`,
  `https://app.notion.com/p/A-title-${hex}`,
  `https://app.notion.com/p/${hex}`,
  `https://app.notion.com/p/some-workspace/A-title-${hex}`,
  `https://app.notion.com/p/${id}`,
  `https://app.notion.com/p/some-workspace/${hex}?pvs=4#${other}`,
  `https://app.notion.com/p/A-database-${other}?v=${other}&p=${hex}`,
  `https://some-place.notion.site/A-title-${hex}`,
  `https://some-place.notion.site/${hex}`,
  `https://some-place.notion.site/${id}#${other}`,
  `https://www.notion.so/%E3%83%9A%E3%83%BC%E3%82%B8-${hex}`,
  `https://www.notion.so/A-title-${hex}?pvs=4#${other}`,
  `https://www.notion.so/A-title-${hex}/`,
  `/${hex}`,
  `/A-title-${hex}`,
  `/${hex}?pvs=25#${other}`,
  `https://www.notion.so/A-database-${other}?v=${other}&p=${hex}&pm=s`,
  `https://www.notion.so/some-workspace?p=${hex}`,
  `https://some-place.notion.site/${other}?p=${hex}`,
  `https://some-place.notion.site/?p=${hex}`,
  `https://www.notion.so/${other}?p=${id}`,
  `/${other}?p=${hex}`,
  `/${id}`,
  `/some-workspace/A-title-${hex}`,
]) {
  test(`SYNC-2: ${address} opens a page`, () => assert.equal(pageOfUrl(address), id));
}

for (const address of [
  `https://example.org/A-title-${hex}`,
  `https://www.notion.so.example.org/${hex}`,
  `https://notion.site.example.org/${hex}`,
  `https://evilnotion.site/${hex}`,
  `https://www.notion.so@example.org/${hex}`,
  `https://www.notion.so:8443/${hex}`,
  `//example.org/${hex}`,
  `/\\example.org/${hex}`,
  `ftp://www.notion.so/${hex}`,
  `javascript:location='https://www.notion.so/${hex}'`,
  `https://app.notion.com/${hex}`,
  `https://www.notion.so/a/b/c-${hex}`,
  `https://www.notion.so/A-title-${hex.slice(1)}`,
  `https://www.notion.so/A-title${hex}`,
  `https://www.notion.so/help/guides`,
  `https://www.notion.so/some-workspace?p=nothing`,
  `https://www.notion.so/#${hex}`,
  `https://some-place.notion.site/`,
  `https://api.notion.com/v1/pages/${hex}`,
  `https://notion.site/${hex}`,
  `https://www.notion.so/?v=${hex}`,
  `#${hex}`,
  hex,
  "",
  "https://",
  `https://www.notion.so/${"a".repeat(10_000)}-${hex}`,
]) {
  test(`SYNC-2: ${address.slice(0, 80)} opens no page`, () => assert.equal(pageOfUrl(address), null));
}

test("SYNC-2: a block is named by the fragment", () => {
  assert.equal(blockOfUrl(`https://app.notion.com/p/${other}#${hex}`), id);
  assert.equal(blockOfUrl(`https://www.notion.so/${other}`), null);
  assert.equal(blockOfUrl(`https://example.org/${other}#${hex}`), null);
});

test("SYNC-2: a page's own address opens it, and no text does harm", () => {
  assert.equal(pageOfUrl(urlOfPage(id)), id);
  fc.assert(fc.property(fc.webUrl(), (address) => pageOfUrl(address) === null));
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => pageOfUrl(text) === null));
});
