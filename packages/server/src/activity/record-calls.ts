import type { ActivityOperation } from "@clew/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Clock } from "../model/runtime.ts";
import type { ActivityLog } from "./activity-log.ts";

/** What a request for service tokens did, as far as its route says. */
export interface CallNote {
  /** In place of the route's own operation. */
  readonly operation?: ActivityOperation;
  readonly words?: string | null;
  /** The ids of the pages of the answer; some may come twice. Called once it was sent. */
  readonly pages?: () => Iterable<string>;
  /** In place of the status of the response. */
  readonly status?: number;
  /** Whether it is no call: an answer to a message that asks for nothing. */
  readonly isNone?: boolean;
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** The operation of a route for service tokens, under which its calls are recorded (APP-9). */
    operation?: ActivityOperation;
  }
  interface FastifyRequest {
    callNote: CallNote | undefined;
  }
}

/** Adds facts of a request to what is recorded of it. */
export function noteCall(request: FastifyRequest, note: CallNote): void {
  request.callNote = { ...request.callNote, ...note };
}

interface Recorder {
  readonly activity: Pick<ActivityLog, "record" | "close" | "days">;
  readonly clock: Clock;
}

/** Records each request with a known service token to a route with an operation, refused ones too. */
export function registerActivity(app: FastifyInstance, { activity, clock }: Recorder): void {
  app.decorateRequest("callNote");
  if (activity.days === 0) return;
  app.addHook("onResponse", (request, reply, done) => {
    const { operation } = request.routeOptions.config;
    // The gate has set it for credentials that it knows, whether it refused them or not.
    const { tokenId } = request.securityFacts;
    if (operation !== undefined && tokenId !== undefined) {
      const { callNote: note = {} } = request;
      if (note.isNone !== true)
        activity.record({
          tokenId,
          at: clock(),
          operation: note.operation ?? operation,
          words: note.words ?? wordsOf(request.query, queryWords),
          pages: reply.statusCode < 400 ? (note.pages?.() ?? []) : [],
          status: note.status ?? reply.statusCode,
          ms: Math.round(reply.elapsedTime),
        });
    }
    done();
  });
  app.addHook("onClose", () => activity.close());
}

/** Parameters in an address that have words. Ids of pages are none. */
const queryWords = ["q", "page", "where"];

/** Characters that are looked at. */
const maxLength = 2_000;

/** The words of those of these parameters that are texts, or lists of them; null without any. Nothing is known of them yet. */
export function wordsOf(parameters: unknown, names: readonly string[]): string | null {
  if (typeof parameters !== "object" || parameters === null) return null;
  const given: Readonly<Record<string, unknown>> = { ...parameters };
  const words = names.flatMap((name) => {
    const value = given[name];
    return (Array.isArray(value) ? value : [value]).filter((each) => typeof each === "string" && each !== "");
  });
  return words.length === 0 ? null : words.join(", ").slice(0, maxLength);
}
