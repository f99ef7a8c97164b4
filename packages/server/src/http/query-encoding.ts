import type { Fault } from "@clew/contract";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../model/api-error.ts";

/**
 * Refuses a query whose percent-encoding is faulty or holds no UTF-8; its parser would take the encoding itself for
 * text. Routes that declare no query read none.
 */
export function registerQueryEncoding(app: FastifyInstance): void {
  app.addHook("preValidation", (request, _reply, done) => {
    const url = request.raw.url ?? "";
    const query = url.indexOf("?") + 1;
    if (query === 0 || request.routeOptions.schema?.querystring === undefined) return done();
    const faults = url.slice(query).split("&").flatMap(faultOf);
    if (faults.length > 0) {
      throw new ApiError("invalid_request", "The URL holds a faulty percent-encoding.", { faults });
    }
    done();
  });
}

function faultOf(parameter: string): Fault[] {
  const [name = ""] = parameter.split("=", 1);
  if (decode(parameter) !== null) return [];
  return [{ path: `?${decode(name) ?? name}`, message: "is not UTF-8 in percent-encoding" }];
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
