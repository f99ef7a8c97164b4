import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { listedNode } from "./listed-node.ts";
import { bareId, pageObject, someId } from "./testing/api-objects.ts";
import { referencesIn } from "./testing/texts.ts";
import { blockOfUrl, pageOfUrl, permanentUrl, urlOfPage, withoutExpiringUrls } from "./urls.ts";

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
  `https://www.notion.com/A-title-${hex}`,
  `https://www.notion.com/some-workspace/A-title-${hex}?pvs=4`,
  `https://notion.com/p/A-title-${hex}`,
  `notion://www.notion.so/A-title-${hex}`,
  `notion://WWW.notion.so/some-workspace/${hex}?pvs=4#${other}`,
  `notion://www.notion.so/native/A-title-${hex}`,
  `https://www.notion.so/native/A-title-${hex}`,
  `https://www.notion.so/native/some-workspace/A-title-${hex}?deepLinkOpenNewTab=true`,
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
  `notion://example.org/${hex}`,
  `notion:www.notion.so/${hex}`,
  `https://www.notion.so/native/a/b/c-${hex}`,
  `https://www.notion.com/help/guides`,
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

test("SYNC-2: a fragment names a block", () => {
  assert.equal(blockOfUrl(`https://app.notion.com/p/${other}#${hex}`), id);
  assert.equal(blockOfUrl(`https://www.notion.so/${other}`), null);
  assert.equal(blockOfUrl(`https://example.org/${other}#${hex}`), null);
});

test("SYNC-2: a page's own address opens it, and no text makes the parser throw", () => {
  assert.equal(pageOfUrl(urlOfPage(id)), id);
  fc.assert(fc.property(fc.webUrl(), (address) => pageOfUrl(address) === null));
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => pageOfUrl(text) === null));
});

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
  test(`SYNC-5: expiring addresses are replaced: ${JSON.stringify(text).slice(0, 70)}`, () =>
    assert.equal(withoutExpiringUrls(text), expected));
}

test("SYNC-5: permanent addresses stay unchanged", () => {
  const text =
    "[a](https://example.org/a_(b)) https://public.notion-static.com/x.png <https://example.org/?q=signature>";
  assert.equal(withoutExpiringUrls(text), text);
});

test("SYNC-5: a text without addresses stays unchanged", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => withoutExpiringUrls(text) === text));
});

test("ERR-6: only permanent https addresses are accepted", () => {
  assert.equal(permanentUrl("https://example.org/a"), "https://example.org/a");
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
    assert.equal(permanentUrl(address), null);
});

const demo = { demoUrl: new URL("http://localhost:8420/clew/demo/") };
const pageUrl = (number: number) => `http://localhost:8420/clew/demo/pages/${someId(number)}`;

test("ERR-6: addresses below the demo URL are accepted from the demo workspace only", () => {
  const url = pageUrl(1);
  const icon = { type: "external", external: { url: "http://localhost:8420/clew/demo/icon.svg" } };
  const node = listedNode(pageObject(1, { url, icon }), demo);
  assert.deepEqual([node?.url, node?.icon], [url, icon.external.url]);
  const atNotion = listedNode(pageObject(1, { url, icon }));
  assert.deepEqual([atNotion?.url, atNotion?.icon], [null, null]);
  for (const address of [
    "http://localhost:8420/clew/demos/pages/x",
    "http://localhost:8420/clew/demo/../api/tokens/",
    "http://localhost:8421/clew/demo/pages/x",
    "http://someone:secret@localhost:8420/clew/demo/pages/x",
    "file:///clew/demo/pages/x",
    "javascript:http://localhost:8420/clew/demo/",
    `${url}?${"x".repeat(9000)}`,
  ])
    assert.equal(permanentUrl(address, demo), null, address.slice(0, 80));
  assert.equal(permanentUrl("https://example.org/a", demo), "https://example.org/a");
});

test("SYNC-2: an address of the demo workspace opens its page there, and nowhere else", () => {
  const bare = pageUrl(1).replace(someId(1), bareId(1));
  for (const address of [pageUrl(1), bare, `${pageUrl(1)}#heading`, `${pageUrl(1)}?x=1`]) {
    assert.equal(pageOfUrl(address, demo), someId(1));
    assert.equal(pageOfUrl(address), null);
  }
  for (const address of [
    pageUrl(1).replace("8420", "8421"),
    pageUrl(1).replace("/clew", ""),
    `${pageUrl(1)}/x`,
    `http://localhost:8420/clew/demo/${someId(1)}`,
  ])
    assert.equal(pageOfUrl(address, demo), null, address);
  assert.equal(pageOfUrl(`https://www.notion.so/${bareId(1)}`, demo), someId(1));
  const markdown = `[a](${pageUrl(1)}) <mention-page url="${pageUrl(2)}"/>\n<page url="${pageUrl(3)}">c</page>`;
  const { references, children } = referencesIn(markdown, demo);
  assert.deepEqual(
    references.map(({ type, targetId }) => [type, targetId]),
    [
      ["link", someId(1)],
      ["mention", someId(2)],
    ],
  );
  assert.deepEqual(children, [{ id: someId(3), type: "page", name: "c", offset: markdown.indexOf("<page") }]);
  assert.deepEqual(referencesIn(markdown).references, []);
});

test("ERR-6: very long addresses are ignored", () => {
  assert.equal(permanentUrl(`https://example.org/${"a".repeat(9000)}`), null);
  // Encoding makes it longer.
  assert.equal(permanentUrl(`https://example.org/${"ä".repeat(4000)}`), null);
});
