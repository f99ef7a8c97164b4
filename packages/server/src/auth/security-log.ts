import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from "fastify";
import type { Origin } from "../model/caller.ts";
import { originOf } from "./origin.ts";

/** What the operator's security log tells of. */
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
  | "workspace_disconnected"
  | "account_deleted"
  | "operator_command";

/** Whom and what an event is about, by ids alone: names and e-mail addresses stay out of the log. */
export interface SecurityFacts {
  readonly userId?: string;
  readonly sessionId?: string;
  readonly tokenId?: number;
  /** The token that took this one's place. */
  readonly successorId?: number;
  readonly workspaceId?: string;
  /** The session that was ended, where it is not the one that asked; `others` for all but that one. */
  readonly endedSession?: string;
  /** Whether a session was refreshed from an address or a user agent that it did not have before. */
  readonly newOrigin?: boolean;
  /** The public code of what went wrong. */
  readonly reason?: string;
}

interface SecurityEvent extends SecurityFacts {
  readonly event: SecurityEventName;
  readonly outcome: "success" | "failure";
  readonly origin?: Origin;
  /** What an operator ran: the names of a command and its arguments. */
  readonly command?: string;
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** What the security log is told when a request of this route succeeds. */
    securityEvent?: SecurityEventName;
  }
  interface FastifyRequest {
    /** What is known for the security log. */
    securityFacts: SecurityFacts;
  }
}

/** Writes one event, whatever the log's level: it is silenced only where the whole log is. */
export function writeSecurityEvent(log: FastifyBaseLogger, written: SecurityEvent): void {
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

/** Adds to what is known of a request for the security log. */
export function noteSecurityFacts(request: FastifyRequest, facts: SecurityFacts): void {
  request.securityFacts = { ...request.securityFacts, ...facts };
}

/** Tells the security log of each request that succeeds, where its route names an event. */
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
