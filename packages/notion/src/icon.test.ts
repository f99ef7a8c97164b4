import assert from "node:assert/strict";
import { test } from "node:test";
import { iconOf, iconOfText } from "./icon.ts";

const upload = "https://prod-files-secure.s3.us-west-2.amazonaws.com/space/file";

test("ERR-6: an icon is an emoji or a permanent https address", () => {
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
