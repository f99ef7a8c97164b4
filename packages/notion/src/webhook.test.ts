import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { notionWebhooks } from "./webhook.ts";

const { verify, offeredKey, event } = notionWebhooks;

const bytes = (text: string) => new Uint8Array(Buffer.from(text));
const signed = (body: Uint8Array, key: string) =>
  `sha256=${createHmac("sha256", key).update(body).digest("hex")}`;
const presenting = (signature: unknown) => ({ "x-notion-signature": signature });

test("SYNC-9: a webhook's signature is HMAC-SHA256 of the raw body (RFC 4231, test case 2)", () => {
  const body = bytes("what do ya want for nothing?");
  const hex = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
  assert.equal(verify(body, presenting(`sha256=${hex}`), "Jefe"), true);
});

test("SYNC-9: a signature is valid for one key, body and spelling only", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 200 }),
      fc.string({ minLength: 1 }),
      fc.nat(63),
      (body, key, at) => {
        const right = signed(body, key);
        assert.equal(verify(body, presenting(right), key), true);
        assert.equal(verify(body, presenting(right), `${key}x`), false);
        assert.equal(verify(Uint8Array.of(...body, 0), presenting(right), key), false);
        const digits = [...right.slice(7)];
        digits[at] = digits[at] === "0" ? "1" : "0";
        assert.equal(verify(body, presenting(`sha256=${digits.join("")}`), key), false);
      },
    ),
  );
  const body = bytes("{}");
  const right = signed(body, "key");
  for (const odd of [
    undefined,
    "",
    right.slice(7),
    right.toUpperCase(),
    `${right} `,
    `${right}00`,
    right.slice(0, -2),
    `${right}, ${right}`,
    [right],
    right.replace("sha256", "sha1"),
    `sha256=${"ä".repeat(64)}`,
  ]) {
    assert.equal(verify(body, presenting(odd), "key"), false, String(odd));
  }
});

const payload = {
  id: "367cba44-b6f3-4c92-81e7-6a2e9659efd4",
  timestamp: "2026-01-12T19:42:35.123Z",
  workspace_id: "13950b26-c203-4f3b-b97d-93ec06319565",
  type: "page.content_updated",
  entity: { id: "0ef104cd-477e-80e1-8571-cfd10e92339a", type: "page" },
  attempt_number: 1,
};

test("SYNC-9, SYNC-11: an event names its workspace, whether it is about pages, and what has changed", () => {
  const read = (changed: object) => event(bytes(JSON.stringify({ ...payload, ...changed })));
  assert.deepEqual(read({}), {
    id: payload.id,
    at: Date.UTC(2026, 0, 12, 19, 42, 35, 123),
    workspaceId: payload.workspace_id,
    isAboutPages: true,
    changed: { of: "page", id: payload.entity.id },
  });
  const { id } = payload.entity;
  for (const [type, entity, changed] of [
    ["database.created", { id, type: "database" }, { of: "database", id }],
    ["data_source.moved", { id: id.replaceAll("-", ""), type: "data_source" }, { of: "collection", id }],
    ["page.deleted", { id, type: "block" }, null],
    ["page.deleted", { id: "no id", type: "page" }, null],
    ["page.deleted", { id, type: "__proto__" }, null],
    ["page.deleted", "page", null],
    ["page.deleted", null, null],
    ["page.deleted", undefined, null],
    ["comment.created", { id, type: "page" }, null],
  ] as const)
    assert.deepEqual(read({ type, entity })?.changed, changed, JSON.stringify({ type, entity }));
  for (const type of ["page.created", "database.moved", "data_source.schema_updated"])
    assert.equal(read({ type })?.isAboutPages, true, type);
  for (const type of ["comment.created", "view.created", "pages.created", "", "__proto__"])
    assert.equal(read({ type })?.isAboutPages, false, type);
  for (const fault of [
    { id: 1 },
    { id: "" },
    { id: "x".repeat(101) },
    { timestamp: "yesterday" },
    { timestamp: "2026" },
    { timestamp: "2026-13-45T99:00:00Z" },
    { timestamp: 1768246955123 },
    { workspace_id: null },
    { type: undefined },
  ]) {
    assert.equal(read(fault), null, JSON.stringify(fault));
  }
});

test("SYNC-9: an offered key is printable text, and nothing else is taken for one", () => {
  const read = (body: string) => offeredKey(bytes(body));
  assert.equal(
    read('{"verification_token":"secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl"}')?.length,
    50,
  );
  for (const odd of ["", "null", "[]", "{}", '{"verification_token":1}', '{"verification_token":""}'])
    assert.equal(read(odd), null, odd);
  assert.equal(read('{"verification_token":"a\\nb"}'), null);
  assert.equal(read(JSON.stringify(payload)), null);
});

test("SYNC-9: no body makes the readers throw", () => {
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), fc.json().map(bytes)), (body) => {
      event(body);
      offeredKey(body);
    }),
  );
});
