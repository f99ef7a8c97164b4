import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { iconOf, iconOfText } from "./icon.ts";
import { lastingUrl, withoutExpiringUrls } from "./lasting-url.ts";

const upload = "https://prod-files-secure.s3.us-west-2.amazonaws.com/space/file";

for (const [text, expected] of [
  [`![plan](${upload}/plan.png?X-Amz-Signature=1)`, "![plan](attachment:plan.png)"],
  [`![plan](${upload}/plan.png)`, "![plan](attachment:plan.png)"],
  [`![plan](${upload}/plan(1).png?X-Amz-Signature=1) and more)`, "![plan](attachment:plan(1).png) and more)"],
  [
    `<file src="${upload}/a%20b.pdf?a=1&amp;X-Amz-Expires=3600">a b</file>`,
    '<file src="attachment:a%20b.pdf">a b</file>',
  ],
  ...["audio", "video", "pdf", "image"].map(
    (kind) =>
      [
        `\t<${kind} src="${upload}/a.bin?X-Amz-Expires=3600&amp;X-Amz-Signature=1" color="gray">a</${kind}>`,
        `\t<${kind} src="attachment:a.bin" color="gray">a</${kind}>`,
      ] as const,
  ),
  [
    `<callout icon="${upload}/i.png?X-Amz-Signature=1">\n\t[a](https://example.org/)\n</callout>`,
    '<callout icon="attachment:i.png">\n\t[a](https://example.org/)\n</callout>',
  ],
  ["https://s3.us-west-2.amazonaws.com/secure.notion-static.com/1/x.txt", "attachment:x.txt"],
  ["https://file.notion.so/f/f/1/x.txt?expirationTimestamp=1&signature=2", "attachment:x.txt"],
  ["https://storage.example/b/x.txt?X-Goog-Signature=1", "attachment:x.txt"],
  ["https://bucket.s3.amazonaws.com/x.txt?x-amz-credential=1", "attachment:x.txt"],
  [`[${upload}/x.txt](${upload}/x.txt)`, "[attachment:x.txt](attachment:x.txt)"],
  [`a\n${upload}/x.txt\nb`, "a\nattachment:x.txt\nb"],
] as const) {
  test(`SYNC-5: no address that expires is kept: ${JSON.stringify(text).slice(0, 70)}`, () =>
    assert.equal(withoutExpiringUrls(text), expected));
}

test("SYNC-5: addresses that last are kept as they are", () => {
  const text =
    "[a](https://example.org/a_(b)) https://public.notion-static.com/x.png <https://example.org/?q=signature>";
  assert.equal(withoutExpiringUrls(text), text);
});

test("SYNC-5: a text without addresses is kept as it is", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => withoutExpiringUrls(text) === text));
});

test("ERR-6: of addresses only https that lasts is taken", () => {
  assert.equal(lastingUrl("https://example.org/a"), "https://example.org/a");
  for (const address of [
    null,
    "",
    "example.org",
    "http://example.org",
    "javascript:alert(1)",
    "data:text/html,x",
    "https://someone:secret@example.org",
    `${upload}/icon.png?X-Amz-Signature=1`,
  ])
    assert.equal(lastingUrl(address), null);
});

test("ERR-6: an icon is an emoji or an https address that lasts", () => {
  for (const emoji of ["💡", "❤️", "👩🏽‍💻", "🇩🇪", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "3️⃣", "👨‍👩‍👧‍👦"]) {
    assert.equal(iconOf({ icon: { type: "emoji", emoji } }), emoji);
    assert.equal(iconOfText(emoji), emoji);
  }
  const external = (url: string) => iconOf({ icon: { type: "external", external: { url } } });
  assert.equal(external("https://example.org/i.svg"), "https://example.org/i.svg");
  assert.equal(external("http://example.org/i.svg"), null);
  assert.equal(external("javascript:alert(1)"), null);
  assert.equal(iconOf({ icon: { type: "file", file: { url: `${upload}/i.png`, expiry_time: "" } } }), null);
  assert.equal(iconOf({ icon: { type: "icon", icon: { name: "pin", color: "gray" } } }), null);
  const custom = {
    type: "custom_emoji",
    custom_emoji: { id: "1", name: "x", url: "https://example.org/e.png" },
  };
  assert.equal(iconOf({ icon: custom }), "https://example.org/e.png");
  for (const emoji of ["<b>", "abc", "1", "", "💡<script>", "💡".repeat(40)])
    assert.equal(iconOf({ icon: { type: "emoji", emoji } }), null);
  assert.equal(iconOf({ icon: null }), null);
  assert.equal(iconOf({}), null);
});
