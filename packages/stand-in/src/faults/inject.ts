import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Callers } from "../http/callers.ts";
import type { Grants } from "../oauth/grants.ts";
import { isRecord } from "../workspace/front-matter.ts";
import { parseId } from "../workspace/ids.ts";
import { minuteOf } from "../workspace/time.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { breakBody } from "./broken-body.ts";
import { offsetOf, shiftTimes } from "./clock-off.ts";
import type { DrawnFault, FaultyCall } from "./faults.ts";
import { withoutSome } from "./lists.ts";
import { malform } from "./malformed.ts";
import { refusalOf } from "./refusal.ts";

/** What faults need in order to happen. */
export interface InjectionParts {
  draw(call: FaultyCall): DrawnFault[];
  readonly callers: Callers;
  readonly grants: Grants;
  /** The workspaces that requests see in place of the current one. */
  readonly pastWorkspaces: WeakMap<FastifyRequest, Workspace>;
  readonly clock: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/**
 * Lets faults happen to requests: some before they are answered, once it is known who asks, and some to the answer. Every
 * answer says what time it is by the stand-in's clock.
 */
export function injectFaults(app: FastifyInstance, parts: InjectionParts): void {
  const drawn = new WeakMap<FastifyRequest, readonly DrawnFault[]>();
  const faultsOf = (request: FastifyRequest) => drawn.get(request) ?? [];
  const offsetIn = (request: FastifyRequest) => offsetOf(faultsOf(request).map(({ fault }) => fault));

  app.addHook("preHandler", async (request, reply) => {
    const call = callOf(request, parts.callers);
    if (call === null) return undefined;
    drawn.set(request, parts.draw(call));
    const offset = offsetIn(request);
    if (offset !== 0) request.body = shiftTimes(request.body, -minuteOf(offset));
    for (const one of faultsOf(request)) {
      await before(one, request, call, parts);
      const refusal = refusalOf(one.fault, call.cursor, parts.clock() + offset);
      if (refusal !== null) throw refusal;
      if (one.fault.kind === "bad_gateway") return sendBadGateway(reply);
    }
    return undefined;
  });

  app.addHook("preSerialization", async (request, reply, payload) => {
    let changed: unknown = payload;
    for (const { fault, seed } of faultsOf(request)) {
      if (reply.statusCode < 400) changed = malform(changed, fault, seed);
      if (fault.kind === "omitted" || fault.kind === "not_listed_yet")
        changed = withoutSome(changed, fault, seed, parts.clock());
    }
    const offset = offsetIn(request);
    return offset === 0 ? changed : shiftTimes(changed, minuteOf(offset));
  });

  app.addHook("onSend", async (request, reply, payload) => {
    reply.header("date", new Date(parts.clock() + offsetIn(request)).toUTCString());
    if (typeof payload !== "string") return payload;
    for (const { fault } of faultsOf(request)) {
      const broken = breakBody(payload, fault);
      if (broken === null) continue;
      if (broken.body === null) return cutOff(reply);
      reply.header("content-length", broken.length);
      return broken.body;
    }
    return payload;
  });
}

async function before(
  { fault, workspace }: DrawnFault,
  request: FastifyRequest,
  { botId }: FaultyCall,
  parts: InjectionParts,
): Promise<void> {
  if (fault.kind === "latency") await parts.sleep(fault.milliseconds);
  if (fault.kind === "stale") parts.pastWorkspaces.set(request, workspace);
  if (fault.kind === "withdrawn" && botId !== null) await parts.grants.withdraw(botId);
}

/** A request as rules look at it; null for one that no route answers. */
function callOf(request: FastifyRequest, callers: Callers): FaultyCall | null {
  const { url: route } = request.routeOptions;
  if (route === undefined) return null;
  const sources = [request.query, request.body].filter(isRecord);
  const cursor = sources.map(({ start_cursor: value }) => value).find((value) => typeof value === "string");
  const params = isRecord(request.params) ? Object.values(request.params) : [];
  return {
    call: `${request.method} ${route}`,
    ids: params.flatMap((value) => parseId(String(value)) ?? []),
    botId: callers.get(request)?.botId ?? null,
    cursor: cursor === undefined || cursor === "" ? null : cursor,
    key: `${request.method} ${request.url} ${cursor ?? ""}`,
  };
}

function sendBadGateway(reply: FastifyReply): FastifyReply {
  const page =
    "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>";
  return reply.code(502).type("text/html").send(page);
}

/** Breaks the connection before anything was answered. */
function cutOff(reply: FastifyReply): string {
  reply.raw.destroy();
  return "";
}
