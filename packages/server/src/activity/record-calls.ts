import type { ActivityOperation } from "@clew/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Clock } from "../model/runtime.ts";
import type { ActivityLog } from "./activity-log.ts";

/** Facts of a request with a service token that its route knows. */
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
  const { callNote } = request;
  request.callNote = callNote === undefined ? note : { ...callNote, ...note };
}

interface Recorder {
  readonly activity: Pick<ActivityLog, "record" | "close" | "days">;
  readonly clock: Clock;
}

/** Records each request with a known service token to a route with an operation, refused ones too. */
export function registerActivity(app: FastifyInstance, { activity, clock }: Recorder): void {
  app.decorateRequest("callNote");
  if (activity.days === 0) return;
  // It runs after every request, so it does little for each: at most a twentieth of the cheapest one.
  app.addHook("onResponse", (request, reply, done) => {
    const note = request.callNote;
    // The gate has set it for credentials that it knows, whether it refused them or not.
    const { tokenId } = request.securityFacts;
    if (tokenId !== undefined && note?.isNone !== true) {
      const operation = note?.operation ?? request.routeOptions.config.operation;
      const { statusCode } = reply;
      if (operation !== undefined)
        activity.record({
          tokenId,
          at: clock(),
          operation,
          words: note?.words ?? wordsOf(request.query, queryWords),
          pages: statusCode < 400 && note?.pages !== undefined ? note.pages() : none,
          status: note?.status ?? statusCode,
          ms: Math.round(reply.elapsedTime),
        });
    }
    done();
  });
  app.addHook("onClose", () => activity.close());
}

const none: readonly string[] = [];

/** Parameters in an address that have words. Ids of pages are none. */
const queryWords = ["q", "page", "where"];

/** Characters that are looked at. */
const maxLength = 2_000;

/** The words of those of these parameters that are texts, or lists of them; null without any. Nothing is known of them yet. */
export function wordsOf(parameters: unknown, names: readonly string[]): string | null {
  if (typeof parameters !== "object" || parameters === null) return null;
  const given = parameters as Readonly<Record<string, unknown>>;
  let words: string | null = null;
  for (const name of names) {
    const text = textOf(given[name]);
    if (text !== "") words = words === null ? text : `${words}, ${text}`;
  }
  return words?.slice(0, maxLength) ?? null;
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.filter((each) => typeof each === "string").join(", ") : "";
}
