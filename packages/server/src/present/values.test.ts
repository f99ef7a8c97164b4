import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { formatTimestamp, presentIcon, presentLink } from "./values.ts";

const first = new Date("0001-01-01T00:00:00.000Z");
const last = new Date("9999-12-31T23:59:59.999Z");

test("ERR-6: timestamps are RFC 3339 in UTC with milliseconds", () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true, min: first, max: last }), (date) => {
      assert.equal(formatTimestamp(date.getTime()), date.toISOString());
    }),
  );
});

test("SYNC-13: times beyond the years 1 to 9999 become the nearest timestamp", () => {
  for (const time of [last.getTime() + 1, 8.64e15, 8.64e15 + 1, Number.MAX_SAFE_INTEGER])
    assert.equal(formatTimestamp(time), "9999-12-31T23:59:59.999Z");
  for (const time of [first.getTime() - 1, -8.64e15, -8.64e15 - 1, Number.MIN_SAFE_INTEGER])
    assert.equal(formatTimestamp(time), "0001-01-01T00:00:00.000Z");
});

test("ERR-6: only https and mailto links are sent", () => {
  for (const url of [
    "https://images.example/a.png?x=1#y",
    "mailto:owner@example.com",
    "HTTPS://images.example/",
    "https://images-1.example:8443/a.png",
    "http://localhost:8420/demo/pages/00000000-0000-4000-8000-000000000001",
  ]) {
    assert.equal(presentLink(url), url);
    assert.equal(presentIcon(url), url);
  }
  for (const url of [
    null,
    "",
    "http://images.example/a.png",
    "http://images.example/?/demo/",
    "file:///demo/pages/a",
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    " javascript:alert(1)",
    "java\nscript:alert(1)",
    "data:image/svg+xml,<svg/>",
    "file:///etc/passwd",
    "https://images.example:99999/a.png",
    "https://1.2.3.256/a.png",
    "//images.example/a.png",
    "/a.png",
    "text",
  ]) {
    assert.equal(presentLink(url), null, String(url));
    assert.equal(presentIcon(url), null, String(url));
  }
});

test("ERR-6: an icon may be any kind of emoji", () => {
  for (const icon of ["📚", "❤️", "☀", "👩🏽‍💻", "🇫🇮", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "1️⃣"]) assert.equal(presentIcon(icon), icon);
  for (const icon of ["a", "<b>", "📚 ", "📚a"]) assert.equal(presentIcon(icon), null);
});
