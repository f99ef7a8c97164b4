import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { RawRequest } from "../support/raw-request.ts";
import {
  forbiddenTexts,
  invalidJsonValues,
  malformedJson,
  nonObjectJson,
  undeclaredFields,
  unsupportedMediaTypes,
} from "./hostile-values.ts";
import { fieldsOf, openRange, pointer, type Range, type Target } from "./targets.ts";

type Document = Readonly<Record<string, unknown>>;

let range: Range;
before(async () => {
  range = await openRange();
});
after(() => range.surface.close());

/** Runs `work` with every route that takes a body, and checks that nothing is stored. */
async function forEachBody(work: (target: Target, document: Document) => Promise<void>): Promise<void> {
  const targets = range.targets.filter(({ body }) => body !== null);
  assert.ok(targets.length >= 3, `${targets.length} routes take a body`);
  await range.storesNothing(async () => {
    for (const target of targets) await work(target, target.document ?? {});
  });
}

function withBody({ method, path, headers }: Target, body: string | Uint8Array): RawRequest {
  return { method, path, headers: { ...headers, "content-type": "application/json" }, body };
}

/** A document with one field given as JSON text, which may contain further fields. */
function withField(document: Document, name: string, json: string): string {
  const others = without(document, name);
  const fields = Object.entries(others).map(
    ([other, value]) => `${JSON.stringify(other)}:${JSON.stringify(value)}`,
  );
  return `{${[`${JSON.stringify(name)}:${json}`, ...fields].join(",")}}`;
}

/** Whether a request without fields is invalid. */
const wantsFields = ({ body }: Target) => (body?.required ?? []).length > 0;

function without(document: Document, name: string): Document {
  return Object.fromEntries(Object.entries(document).filter(([other]) => other !== name));
}

test("ERR-1: a body that is not JSON is refused, and nothing is stored", async () => {
  await forEachBody(async (target) => {
    for (const body of malformedJson) await range.expectRefused(withBody(target, body), undefined, [400]);
    const { method, path, headers } = target;
    if (wantsFields(target)) await range.expectRefused({ method, path, headers }, undefined, [400]);
  });
});

test("ERR-1: JSON that is not an object is refused as a whole", async () => {
  await forEachBody(async (target, document) => {
    const empty = wantsFields(target) ? ["{}"] : [];
    for (const body of [...nonObjectJson, ...empty, `[${JSON.stringify(document)}]`]) {
      await range.expectRefused(withBody(target, body), "", [400]);
    }
    for (const name of target.body?.required ?? []) {
      await range.expectRefused(withBody(target, "{}"), pointer(name), [400]);
    }
  });
});

test("LIM-3: a body over 64 KiB is 413, another media type 415", async () => {
  await forEachBody(async (target, document) => {
    const padding = JSON.stringify("x".repeat(64 * 1024));
    await range.expectRefused(withBody(target, withField(document, "padding", padding)), undefined, [413]);
    for (const type of unsupportedMediaTypes) {
      const headers = { ...target.headers, ...(type !== undefined && { "content-type": type }) };
      const body = JSON.stringify(document);
      await range.expectRefused({ ...withBody(target, body), headers }, undefined, [415]);
    }
  });
});

test("ERR-1: an invalid field is reported with its path, and nothing is stored", async () => {
  await forEachBody(async (target, document) => {
    for (const [name, schema] of fieldsOf(target.body)) {
      for (const json of invalidJsonValues(schema)) {
        await range.expectRefused(withBody(target, withField(document, name, json)), pointer(name), [400]);
      }
    }
  });
});

test("ERR-1: a missing, unknown or duplicate field is reported with its path, and nothing is stored", async () => {
  await forEachBody(async (target, document) => {
    const refusesAt = (name: string, body: string) =>
      range.expectRefused(withBody(target, body), pointer(name), [400]);
    for (const name of target.body?.required ?? []) {
      await refusesAt(name, JSON.stringify(without(document, name)));
    }
    for (const name of undeclaredFields) await refusesAt(name, withField(document, name, "1"));
    for (const [name] of fieldsOf(target.body)) {
      const value = JSON.stringify(document[name] ?? null);
      const spelled = `\\u${name.charCodeAt(0).toString(16).padStart(4, "0")}${name.slice(1)}`;
      await refusesAt(name, withField(document, name, `${value},"${name}":${value}`));
      await refusesAt(name, withField(document, name, `${value},"${spelled}":${value}`));
    }
  });
});

test("ERR-1: no field accepts NUL, half a surrogate pair or 10 000 characters", async () => {
  await forEachBody(async (target, document) => {
    for (const [name, schema] of fieldsOf(target.body)) {
      for (const text of forbiddenTexts) {
        const json = schema.type === "string" ? text : `[${text}]`;
        // An invalid refresh token is 401 on routes that take it as a credential (SESS-3).
        await range.expectRefused(
          withBody(target, withField(document, name, json)),
          pointer(name),
          [400, 401],
        );
      }
    }
  });
});
