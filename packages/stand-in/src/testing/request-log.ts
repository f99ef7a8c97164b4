import { isRecord, parseId } from "@clew/folder";
import type { FastifyRequest } from "fastify";
import type { StandInParts } from "../stand-in.ts";

/** A request and how it was answered. */
export interface RecordedRequest {
  readonly method: string;
  /** `/v1/pages/:page_id` */
  readonly route: string;
  /** The first id in its path. */
  readonly id: string | null;
  /** The time of arrival, by the stand-in's clock. */
  readonly at: number;
  /** The bot id of the caller's grant. */
  readonly bot: string | null;
  /** Null until it is answered. */
  readonly status: number | null;
}

/** The requests that the stand-in received. */
export interface RequestLog {
  /** The number of requests by method and route: `GET /v1/pages/:page_id`. */
  calls(): Readonly<Record<string, number>>;
  /** The requests in order of arrival; empty unless they are recorded. */
  requests(): readonly RecordedRequest[];
  reset(): void;
}

/** Counts the requests that match a route, and records them if `record` says so. */
export function logRequests({ app, contexts, clock }: StandInParts, record: boolean): RequestLog {
  const calls = new Map<string, number>();
  let records: RecordedRequest[] = [];
  // A reset starts a new list; requests under way still complete their record in the old one.
  const slots = new WeakMap<FastifyRequest, { list: RecordedRequest[]; index: number }>();

  app.addHook("onRequest", async (request) => {
    const { url: route } = request.routeOptions;
    if (route === undefined) return;
    const call = `${request.method} ${route}`;
    calls.set(call, (calls.get(call) ?? 0) + 1);
    if (!record) return;
    const id = isRecord(request.params) ? parseId(String(Object.values(request.params)[0] ?? "")) : null;
    slots.set(request, { list: records, index: records.length });
    records.push({ method: request.method, route, id, at: clock(), bot: null, status: null });
  });
  app.addHook("onSend", async (request, reply, payload) => {
    const slot = slots.get(request);
    const entry = slot?.list[slot.index];
    if (slot !== undefined && entry !== undefined) {
      const bot = contexts(request).grant?.botId ?? null;
      slot.list[slot.index] = { ...entry, bot, status: reply.statusCode };
    }
    return payload;
  });
  return {
    calls: () => Object.fromEntries(calls),
    requests: () => [...records],
    reset() {
      calls.clear();
      records = [];
    },
  };
}
