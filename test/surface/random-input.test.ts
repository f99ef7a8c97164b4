import { after, before, test } from "node:test";
import { repetitions, runSeed } from "@clew/stand-in/testing/share";
import fc from "fast-check";
import type { RawRequest } from "../support/raw-request.ts";
import { fieldsOf, isFarewell, openRange, type Range, type Target } from "./targets.ts";

/** The number of cases for each route. */
const cases = repetitions(8, 20);

let range: Range;
before(async () => {
  range = await openRange();
});
after(() => range.surface.close());

const percentEncode = (bytes: Uint8Array) =>
  [...bytes].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

/** A piece of a URL: plain text, any Unicode, or bytes that need not be UTF-8. */
const piece = fc.oneof(
  fc.stringMatching(/^[\w.,:-]{0,12}$/),
  fc.string({ unit: "binary", maxLength: 12 }).map((text) => percentEncode(Buffer.from(text))),
  fc.uint8Array({ maxLength: 8 }).map(percentEncode),
  fc.oneof(fc.integer(), fc.double()).map(String).map(encodeURIComponent),
);

const anyQuery = (target: Target) => {
  const declared = fieldsOf(target.query).map(([name]) => name);
  const name = declared.length === 0 ? piece : fc.oneof(fc.constantFrom(...declared), piece);
  return fc
    .array(fc.tuple(name, piece), { maxLength: 4 })
    .map((pairs) => pairs.map(([key, value]) => `${key}=${value}`).join("&"));
};

/** JSON of any shape, JSON of the declared fields with anything in them, or no JSON at all. */
const anyBody = (target: Target) => {
  const names = fieldsOf(target.body).map(([name]) => name);
  const fields = Object.fromEntries(names.map((name) => [name, fc.jsonValue({ stringUnit: "binary" })]));
  return fc.oneof(
    fc.json({ stringUnit: "binary" }),
    fc.record(fields, { requiredKeys: [] }).map((document) => JSON.stringify(document)),
    fc.string({ unit: "binary" }),
    fc.uint8Array({ maxLength: 64 }),
  );
};

const anyRequest = (target: Target) =>
  fc
    .record({ id: piece, query: anyQuery(target), body: anyBody(target) })
    .map(({ id, query, body }): RawRequest => {
      const { method, headers } = target;
      const path = `${target.pattern.replace(/:[^/]+/, id)}${query === "" ? "" : `?${query}`}`;
      if (method === "GET") return { method, path, headers };
      return { method, path, headers: { ...headers, "content-type": "application/json" }, body };
    });

test("ERR-4: no random input causes a server error, and none of it is stored", async () => {
  await range.storesNothing(async () => {
    for (const target of range.targets.filter((each) => !isFarewell(each))) {
      const property = fc.asyncProperty(anyRequest(target), async (request) => {
        await range.send(request);
      });
      await fc.assert(property, { seed: runSeed, numRuns: cases });
    }
  });
});
