import assert from "node:assert/strict";
import fc from "fast-check";
import { databaseId, type FuzzRequest, type Ground } from "../ground.ts";
import { mutated } from "../hostile.ts";
import { encoded, requestGrammar } from "./requests.ts";

/** Lists with more than one page of items. */
const lists = [
  "/api/v1/search/?q=reference&limit=2",
  "/api/v1/search/?sort=title&limit=3&type=page",
  `/api/v1/nodes/${databaseId}/rows/?limit=3&where=Count%20%3E%201`,
  `/api/v1/nodes/${databaseId}/neighbors/?limit=2`,
  "/api/v1/text/?q=reference&limit=2",
  "/api/v1/changes/?cursor=now",
];

/** A list, and a cursor of one list, altered or not, that it is asked with. */
interface CursorInput {
  readonly list: string;
  readonly from: string;
  readonly edit: readonly (readonly [at: number, sign: string])[];
  /** Another text in place of the cursor; null for none. */
  readonly text: string | null;
}

const sign = fc.constantFrom(..."AZaz09-_=+/. %\n\0é");
const inputs: fc.Arbitrary<CursorInput> = fc.record({
  list: fc.constantFrom(...lists),
  from: fc.constantFrom(...lists),
  edit: fc.oneof(fc.constant([]), fc.array(fc.tuple(fc.nat(999_999), sign), { minLength: 1, maxLength: 3 })),
  text: fc.oneof(
    { weight: 4, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: mutated(fc.constantFrom("now", "bm93", "A".repeat(60), "{}", "W10")) },
    {
      weight: 1,
      arbitrary: fc.uint8Array({ maxLength: 90 }).map((bytes) => Buffer.from(bytes).toString("base64url")),
    },
  ),
});

const asked = (path: string): FuzzRequest => ({ method: "GET", path, as: "token" });
const withCursor = (list: string, cursor: string) =>
  `${list.replace("?cursor=now", "?")}&cursor=${encoded(cursor)}`;

async function tryCursor(ground: Ground, { list, from, edit, text }: CursorInput): Promise<void> {
  const first = await ground.try(asked(from));
  const given: unknown = first.body?.next_cursor ?? first.body?.cursor;
  assert.ok(typeof given === "string", `${from} gave no cursor: ${first.text.slice(0, 200)}`);
  const cursor = text ?? edit.reduce(replaceSign, given);
  const { status, body } = await ground.try(asked(withCursor(list, cursor)));
  if (cursor === given && list === from) assert.equal(status, 200, JSON.stringify(body));
  else if (text !== "now")
    assert.equal(status, 400, `${list} takes a cursor that it did not give: ${cursor}`);
}

function replaceSign(cursor: string, [at, other]: readonly [number, string]): string {
  const start = Math.floor((at / 1_000_000) * cursor.length);
  return cursor.slice(0, start) + other + cursor.slice(start + 1);
}

/** Cursors that were altered, invented or given by another list (GRAPH-12). */
export const cursor = requestGrammar("cursor", inputs, tryCursor);
