import { Readable } from "node:stream";
import { isRecord, minuteOf, parseId } from "@clew/folder";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../http/api-error.ts";
import type { RequestContexts } from "../http/request.ts";
import type { StandInParts } from "../stand-in.ts";
import { malform, offsetOf, shiftTimes, withoutSome } from "./alter-answers.ts";
import type { DrawnFault, Fault, FaultyCall } from "./faults.ts";

/** The parts that faults need. */
interface FaultContext extends Pick<StandInParts, "app" | "contexts" | "clock"> {
  draw(call: FaultyCall): DrawnFault[];
  sleep(milliseconds: number): Promise<void>;
  /** Ends the grant of a bot. */
  withdraw(botId: string): Promise<void>;
}

/** Injects faults: some before a request is handled, once its caller is known, others into the response. */
export function injectFaults(context: FaultContext): void {
  const { app, clock } = context;
  const drawn = new WeakMap<FastifyRequest, readonly DrawnFault[]>();
  const faultsOf = (request: FastifyRequest) => drawn.get(request) ?? [];
  const offsetIn = (request: FastifyRequest) => offsetOf(faultsOf(request).map(({ fault }) => fault));

  app.addHook("preHandler", async (request, reply) => {
    const call = callOf(request, context.contexts);
    if (call === null) return undefined;
    drawn.set(request, context.draw(call));
    const offset = offsetIn(request);
    if (offset !== 0) request.body = shiftTimes(request.body, -minuteOf(offset));
    for (const one of faultsOf(request)) {
      await before(one, request, call, context);
      const error = errorOf(one.fault, call.cursor, clock() + offset);
      if (error !== null) throw error;
      if (one.fault.kind === "bad_gateway") return sendBadGateway(reply);
    }
    return undefined;
  });

  app.addHook("preSerialization", async (request, reply, payload) => {
    let changed: unknown = payload;
    for (const { fault, seed } of faultsOf(request)) {
      if (reply.statusCode < 400) changed = malform(changed, fault, seed);
      if (fault.kind === "omitted" || fault.kind === "not_listed_yet")
        changed = withoutSome(changed, fault, seed, clock());
    }
    const offset = offsetIn(request);
    return offset === 0 ? changed : shiftTimes(changed, minuteOf(offset));
  });

  app.addHook("onSend", async (request, reply, payload) => {
    const offset = offsetIn(request);
    if (offset !== 0) reply.header("date", new Date(clock() + offset).toUTCString());
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
  { contexts, sleep, withdraw }: FaultContext,
): Promise<void> {
  if (fault.kind === "latency") await sleep(fault.milliseconds);
  if (fault.kind === "stale") contexts(request).workspace = workspace;
  if (fault.kind === "withdrawn" && botId !== null) await withdraw(botId);
}

/** Describes a request for rules; null if it matches no route. */
function callOf(request: FastifyRequest, contexts: RequestContexts): FaultyCall | null {
  const { url: route } = request.routeOptions;
  if (route === undefined) return null;
  const sources = [request.query, request.body].filter(isRecord);
  const cursor = sources.map(({ start_cursor: value }) => value).find((value) => typeof value === "string");
  const params = isRecord(request.params) ? Object.values(request.params) : [];
  return {
    call: `${request.method} ${route}`,
    ids: params.flatMap((value) => parseId(String(value)) ?? []),
    botId: contexts(request).grant?.botId ?? null,
    cursor: cursor === undefined || cursor === "" ? null : cursor,
    key: `${request.method} ${request.url} ${cursor ?? ""}`,
  };
}

function sendBadGateway(reply: FastifyReply): FastifyReply {
  const page =
    "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>";
  return reply.code(502).type("text/html").send(page);
}

/** Closes the connection without a response. */
function cutOff(reply: FastifyReply): string {
  reply.raw.destroy();
  return "";
}

/** The API error that a fault causes; null if it causes none. `now` is the time by the stand-in's clock. */
function errorOf(fault: Fault, cursor: string | null, now: number): ApiError | null {
  switch (fault.kind) {
    case "error":
      return apiErrorOf(fault, now);
    case "cursor_expired":
      return new ApiError(
        "validation_error",
        `The start_cursor provided is invalid: ${cursor?.slice(0, 100)}`,
      );
    case "withdrawn":
      return new ApiError("unauthorized", "API token is invalid.");
    default:
      return null;
  }
}

const messages: Readonly<Record<string, string>> = {
  object_not_found: "Could not find the object. Make sure that it is shared with your integration.",
  rate_limited: "You have been rate limited. Please try again in a few minutes.",
  service_overload: "Notion is overloaded. Please try again later.",
  unauthorized: "API token is invalid.",
};

function apiErrorOf(fault: Fault & { kind: "error" }, now: number): ApiError {
  const { code, retryAfter, asDate = false } = fault;
  const after = asDate ? new Date(now + (retryAfter ?? 0) * 1000).toUTCString() : String(retryAfter);
  const limited = code === "rate_limited" || code === "service_overload";
  return new ApiError(code, fault.message ?? messages[code] ?? "Unexpected error occurred.", {
    ...(retryAfter === undefined ? {} : { headers: { "retry-after": after } }),
    ...(limited ? { additionalData: { rate_limit_reason: "requests_per_minute" } } : {}),
  });
}

/** A response body that ends too soon. If `body` is null, the connection closes before the headers. */
interface BrokenBody {
  readonly body: string | Readable | null;
  /** The `Content-Length` to send. */
  readonly length: number;
}

/** Breaks the body of a response; null if the fault leaves it whole. */
function breakBody(body: string, fault: Fault): BrokenBody | null {
  if (fault.kind !== "truncated" && fault.kind !== "disconnected") return null;
  const cut = body.slice(0, Math.floor(body.length * (fault.at ?? 0.5)));
  return fault.kind === "truncated"
    ? { body: cut, length: Buffer.byteLength(cut) }
    : { body: cut === "" ? null : endingInAnError(cut), length: Buffer.byteLength(body) };
}

/** Sends text, then fails once the text has been sent, so that the server destroys the connection. */
function endingInAnError(text: string): Readable {
  let begun = false;
  return new Readable({
    read() {
      if (!begun) this.push(text);
      else setImmediate(() => this.destroy(new Error("the connection was cut by a fault rule")));
      begun = true;
    },
  });
}
