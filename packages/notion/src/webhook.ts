import { createHmac, timingSafeEqual } from "node:crypto";
import { parseNodeId } from "@clew/graph";
import type { NamedObject, Webhooks } from "@clew/provider";
import { events, type Reading, readingOf } from "./vocabulary.ts";

/** Notion's webhooks. https://developers.notion.com/reference/webhooks */
export const notionWebhooks: Webhooks = {
  verify(body, headers, key) {
    const signature = headers["x-notion-signature"];
    const hex = typeof signature === "string" ? /^sha256=([0-9a-f]{64})$/.exec(signature)?.[1] : undefined;
    if (hex === undefined) return false;
    return timingSafeEqual(Buffer.from(hex, "hex"), createHmac("sha256", key).update(body).digest());
  },

  offeredKey(body) {
    const token = parseObject(body)?.verification_token;
    return typeof token === "string" && /^[\x21-\x7e]{1,512}$/.test(token) ? token : null;
  },

  event(body) {
    const { id, timestamp, workspace_id: workspaceId, type, entity } = parseObject(body) ?? {};
    if (typeof id !== "string" || typeof workspaceId !== "string" || typeof type !== "string") return null;
    const at = typeof timestamp === "string" && rfc3339.test(timestamp) ? Date.parse(timestamp) : Number.NaN;
    if (id === "" || id.length > 100 || Number.isNaN(at)) return null;
    const reading = readingOf<Reading>(events, type);
    // A new event of pages may be about what Clew reads.
    const isAboutPages =
      reading?.as === "hint" || (!reading && /^(?:page|database|data_source)\./.test(type));
    return { id, at, workspaceId, isAboutPages, changed: isAboutPages ? namedObject(entity) : null };
  },
};

const kinds: ReadonlyMap<unknown, NamedObject["of"]> = new Map([
  ["page", "page"],
  ["database", "database"],
  ["data_source", "collection"],
]);

/** The page, database or data source that an event names; null if it names none. */
function namedObject(entity: unknown): NamedObject | null {
  if (typeof entity !== "object" || entity === null || !("id" in entity) || !("type" in entity)) return null;
  const of = kinds.get(entity.type);
  const id = typeof entity.id === "string" ? parseNodeId(entity.id) : null;
  return of === undefined || id === null ? null : { of, id };
}

/** `Date.parse` also accepts formats that depend on the engine. */
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

function parseObject(body: Uint8Array): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString());
    return typeof value === "object" && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}
