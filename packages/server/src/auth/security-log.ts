import { isIP } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Origin } from "../model/caller.ts";
import type { Log } from "../model/log.ts";

/** The events of the operator's security log. */
type SecurityEventName =
  | "signed_in"
  | "sign_in_failed"
  | "session_refreshed"
  | "signed_out"
  | "token_created"
  | "token_rotated"
  | "token_revoked"
  | "authentication_failed"
  | "authorization_failed"
  | "workspace_connected"
  | "workspace_disconnected"
  | "account_deleted"
  | "operator_command";

/** The people and things that an event is about. Ids only: names and e-mail addresses stay out of the log. */
export interface SecurityFacts {
  readonly userId?: string;
  readonly sessionId?: string;
  readonly tokenId?: number;
  /** The token that replaced this one. */
  readonly successorId?: number;
  readonly workspaceId?: string;
  /** The session that was ended, if it is another than the caller's; `others` for all but the caller's. */
  readonly endedSession?: string;
  /** Whether a session was refreshed from a new address or user agent. */
  readonly newOrigin?: boolean;
  /** The public error code. */
  readonly reason?: string;
}

interface SecurityEvent extends SecurityFacts {
  readonly event: SecurityEventName;
  readonly outcome: "success" | "failure";
  readonly origin?: Origin;
  /** The operator's command: its name and those of its arguments. */
  readonly command?: string;
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** The event that is logged when a request of this route succeeds. */
    securityEvent?: SecurityEventName;
  }
  interface FastifyRequest {
    /** Details of the request for the security log. */
    securityFacts: SecurityFacts;
  }
}

/** Writes one event at any level of the log except `silent`. */
export function writeSecurityEvent(log: Log, written: SecurityEvent): void {
  const { event, outcome, origin, command } = written;
  const line = {
    event,
    outcome,
    actor: command === undefined ? "user" : "operator",
    command,
    user_id: written.userId,
    session_id: written.sessionId,
    ended_session_id: written.endedSession,
    token_id: written.tokenId,
    successor_id: written.successorId,
    workspace_id: written.workspaceId,
    new_origin: written.newOrigin,
    reason: written.reason,
    address: origin?.address,
    user_agent: origin?.userAgent,
  };
  const level = log.level === "silent" ? "silent" : "info";
  log.child({ security: true }, { level }).info(line, event.replaceAll("_", " "));
}

/** Adds details of a request for the security log. */
export function noteSecurityFacts(request: FastifyRequest, facts: SecurityFacts): void {
  request.securityFacts = { ...request.securityFacts, ...facts };
}

/** Logs the security event of each route that declares one, after a successful request. */
export function registerSecurityLog(app: FastifyInstance): void {
  app.decorateRequest("securityFacts");
  app.addHook("onRequest", (request, _reply, done) => {
    request.securityFacts = {};
    done();
  });
  app.addHook("onResponse", (request, { statusCode }, done) => {
    const { securityEvent: event } = request.routeOptions.config;
    if (event !== undefined && statusCode < 300) {
      const origin = originOf(request);
      writeSecurityEvent(request.log, { event, outcome: "success", origin, ...request.securityFacts });
    }
    done();
  });
}

const maxUserAgentLength = 512;

/**
 * The origin of a request. The address is null if a proxy forwards anything but an IP address. The control characters that a header can
 * have are left out: JSON does not escape them, and the log may be shown on a terminal.
 */
export function originOf({ ip, headers }: Pick<FastifyRequest, "ip" | "headers">): Origin {
  return {
    address: isIP(ip) === 0 ? null : ip,
    userAgent: headers["user-agent"]?.slice(0, maxUserAgentLength).replaceAll(/\p{Cc}/gu, " ") ?? null,
  };
}
