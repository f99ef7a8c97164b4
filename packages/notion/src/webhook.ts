import { createHmac, timingSafeEqual } from "node:crypto";
import type { Webhooks } from "@clew/provider";

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
    const { id, timestamp, workspace_id: workspaceId, type } = parseObject(body) ?? {};
    if (typeof id !== "string" || typeof workspaceId !== "string" || typeof type !== "string") return null;
    const at = typeof timestamp === "string" && rfc3339.test(timestamp) ? Date.parse(timestamp) : Number.NaN;
    if (id === "" || id.length > 100 || Number.isNaN(at)) return null;
    return { id, at, workspaceId, isAboutPages: /^(?:page|database|data_source)\./.test(type) };
  },
};

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
