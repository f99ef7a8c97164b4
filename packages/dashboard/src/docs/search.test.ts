import assert from "node:assert/strict";
import { test } from "node:test";
import { SectionSearch } from "./search.ts";

const section = (page: string, heading: string, text: string) => ({
  page,
  heading,
  href: `${page}#${heading}`,
  text,
});

const search = new SectionSearch([
  section("Running", "", "All settings."),
  section("Running", "Settings", `${"other words ".repeat(40)}TRUST_PROXY is a setting of the proxy.`),
  section("Running", "Behind a proxy", "Set TRUST_PROXY to the addresses of the proxy."),
  section("Wörter", "Café", "naïve"),
]);

const found = (query: string) => search.find(query, 10).map(({ section }) => section.heading);

test("a section is found by the beginnings of its words, whatever their case and accents", () => {
  assert.deepEqual(found("trust_proxy"), ["Behind a proxy", "Settings"]);
  assert.deepEqual(found("cafe NAIVE"), ["Café"]);
  assert.deepEqual(found("addr"), ["Behind a proxy"]);
  assert.deepEqual(found("roxy"), []);
});

test("every word has to be there, and a heading counts more than a text", () => {
  assert.deepEqual(found("proxy nowhere"), []);
  assert.deepEqual(found("settings"), ["Settings", ""]);
  assert.deepEqual(found("running"), [""]);
  assert.deepEqual(found("  "), []);
});

test("an excerpt is the part of the text around the first word", () => {
  const [, { excerpt = "" } = {}] = search.find("trust_proxy", 10);
  assert.match(excerpt, /^… .*TRUST_PROXY is a setting of the proxy\.$/);
  assert.ok(excerpt.length < 200);
});
