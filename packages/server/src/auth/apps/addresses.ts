import type { FastifyRequest } from "fastify";
import type { Config } from "../../config/config.ts";
import { isLoopback } from "../../model/loopback.ts";
import { type AppResource, resourceUrl } from "../../model/service-token.ts";

type PublicUrl = Pick<Config, "publicUrl">;

/** The parts of a request that say by which name Clew was reached. */
type Reached = Pick<FastifyRequest, "host" | "hostname">;

/** The issuer: PUBLIC_URL without a final slash, byte for byte what clients compare (RFC 8414, section 2). */
export const issuerOf = ({ publicUrl }: PublicUrl): string => publicUrl.href.replace(/\/$/, "");

/** The path of PUBLIC_URL without a final slash; empty if it has none. */
export const basePathOf = ({ publicUrl }: PublicUrl): string => publicUrl.pathname.replace(/\/$/, "");

/** The path of the MCP transport below PUBLIC_URL. */
export const mcpPath = "/api/v1/mcp";

/** The start of the path of the resource's metadata (RFC 9728, section 3). */
export const resourceMetadataPath = "/.well-known/oauth-protected-resource";

/** The start of the path of the server's metadata (RFC 8414, section 3). */
export const serverMetadataPath = "/.well-known/oauth-authorization-server";

/**
 * PUBLIC_URL without a final slash, as the client of a request knows it: where PUBLIC_URL is loopback, with the loopback name
 * and the port of the request (APP-1). Another name is never taken from a request.
 */
export function reachedUrl(config: PublicUrl, { host, hostname }: Reached): string {
  const { publicUrl } = config;
  if (!isLoopback(publicUrl.hostname) || !isLoopback(hostname)) return issuerOf(config);
  return `${publicUrl.protocol}//${host}${basePathOf(config)}`;
}

/** The part of a request's target after the path of its resource: a final slash and the query, as they were sent. */
export function targetAfter(path: string, target: string): string {
  return target.startsWith(path) ? target.slice(path.length) : "";
}

/**
 * Reads a resource indicator (RFC 8707, section 2): the resource of Clew that it names, whatever its query; null if it names
 * none. On loopback `reachedHost` is the name and port by which the person's browser reached Clew.
 */
export function readResource(config: PublicUrl, text: string, reachedHost: string): AppResource | null {
  const asked = URL.parse(text);
  if (asked === null || asked.hash !== "" || asked.username !== "" || asked.password !== "") return null;
  if (!isReachedAs(config.publicUrl, asked, reachedHost)) return null;
  const path = asked.pathname.replace(/\/$/, "");
  const resources: readonly AppResource[] = ["mcp", "v1"];
  return resources.find((each) => new URL(resourceUrl(config.publicUrl, each)).pathname === path) ?? null;
}

function isReachedAs(publicUrl: URL, asked: URL, reachedHost: string): boolean {
  if (asked.origin === publicUrl.origin) return true;
  if (asked.protocol !== publicUrl.protocol) return false;
  if (!isLoopback(publicUrl.hostname) || !isLoopback(asked.hostname)) return false;
  // Another port of this machine may be another program, which the token is not for.
  const reached = URL.parse(`${publicUrl.protocol}//${reachedHost}`);
  return asked.port === publicUrl.port || asked.port === reached?.port;
}
