import { createHmac } from "node:crypto";
import type { JsonObject } from "../notion/json.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** What a webhook tells; what is left out is filled in (https://developers.notion.com/reference/webhooks-events-delivery). */
export interface WebhookEvent {
  /** `page.content_updated`, for example. */
  readonly type: string;
  readonly entity: { readonly id: string; readonly type: "page" | "database" | "data_source" | "block" };
  readonly data?: JsonObject;
  /** A new one when left out; the same again where an event is sent twice. */
  readonly id?: string;
  /** ISO 8601; now when left out. */
  readonly timestamp?: string;
  readonly workspace_id?: string;
  readonly accessible_by?: readonly JsonObject[];
  readonly attempt_number?: number;
}

/** An event with all that webhooks carry. */
export function completeEvent(
  event: WebhookEvent,
  workspace: Workspace,
  now: number,
  id: string,
): JsonObject {
  return {
    id,
    timestamp: new Date(now).toISOString(),
    workspace_id: workspace.id,
    accessible_by: [],
    attempt_number: 1,
    ...event,
    entity: { ...event.entity },
  };
}

/**
 * Posts an event, signed over its very bytes with the verification token of the subscription. Answers with the
 * receiver's status; throws where there is none.
 */
export function sendWebhook(url: string, verificationToken: string, event: JsonObject): Promise<number> {
  const body = JSON.stringify(event);
  const signature = createHmac("sha256", verificationToken).update(body).digest("hex");
  return post(url, body, { "x-notion-signature": `sha256=${signature}` });
}

/** Posts the message that begins a subscription. It is not signed: the receiver learns the token from it. */
export function sendVerificationToken(url: string, verificationToken: string): Promise<number> {
  return post(url, JSON.stringify({ verification_token: verificationToken }), {});
}

async function post(url: string, body: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
    redirect: "manual",
  });
  await answer.body?.cancel();
  return answer.status;
}
