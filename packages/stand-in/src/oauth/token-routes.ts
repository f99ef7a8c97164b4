import { createHash, timingSafeEqual } from "node:crypto";
import { isRecord, type Workspace } from "@clew/folder";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type JsonObject, personJson } from "../notion/object-json.ts";
import type { Codes, Grants, IssuedTokens } from "./grants.ts";

interface TokenServices {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly codes: Codes;
  readonly grants: Grants;
  workspace(): Workspace;
}

/**
 * The token, revocation and introspection endpoints (https://developers.notion.com/docs/authorization; RFC 6749, 7009 and
 * 7662). The client authenticates by HTTP Basic.
 */
export async function tokenRoutes(app: FastifyInstance, services: TokenServices): Promise<void> {
  app.addHook("preHandler", async (request, reply) => {
    reply.header("cache-control", "no-store");
    if (isClient(request, services)) return undefined;
    return refuse(reply, 401, "invalid_client", "The client's id or secret is missing or wrong.");
  });

  app.post("/v1/oauth/token", async (request, reply) => {
    const body = isRecord(request.body) ? request.body : {};
    if (body.grant_type === "authorization_code") return exchangeCode(body, reply, services);
    if (body.grant_type === "refresh_token") return exchangeRefreshToken(body, reply, services);
    return refuse(
      reply,
      400,
      "unsupported_grant_type",
      "grant_type must be authorization_code or refresh_token.",
    );
  });

  app.post("/v1/oauth/revoke", async (request, reply) => {
    const token = tokenIn(request.body);
    if (token === null) return refuse(reply, 400, "invalid_request", "token is missing.");
    await services.grants.revoke(token);
    return { request_id: request.id };
  });

  app.post("/v1/oauth/introspect", async (request, reply) => {
    const token = tokenIn(request.body);
    if (token === null) return refuse(reply, 400, "invalid_request", "token is missing.");
    const issuedAt = services.grants.issuedAt(token);
    const about =
      issuedAt === null ? { active: false } : { active: true, scope: "read_content", iat: issuedAt };
    return { ...about, request_id: request.id };
  });
}

async function exchangeCode(body: Record<string, unknown>, reply: FastifyReply, services: TokenServices) {
  const { code, redirect_uri: redirectUri } = body;
  const consent = typeof code === "string" ? await services.codes.redeem(code) : null;
  const person = services.workspace().people.find(({ id }) => id === consent?.personId);
  if (consent === null || person === undefined || redirectUri !== consent.redirectUri) {
    return refuse(
      reply,
      400,
      "invalid_grant",
      "The code is unknown, used or expired, or belongs to another redirect URI.",
    );
  }
  const { personId, sharedIds } = consent;
  return tokensJson(
    await services.grants.issue({ personId, sharedIds, clientId: services.clientId }),
    reply,
    services,
  );
}

async function exchangeRefreshToken(
  body: Record<string, unknown>,
  reply: FastifyReply,
  services: TokenServices,
) {
  const token = body.refresh_token;
  const issued = typeof token === "string" ? await services.grants.refresh(token) : null;
  if (issued === null)
    return refuse(reply, 400, "invalid_grant", "The refresh token is unknown or was used before.");
  return tokensJson(issued, reply, services);
}

function tokensJson(issued: IssuedTokens, reply: FastifyReply, services: TokenServices): JsonObject {
  const workspace = services.workspace();
  const { botId, personId } = issued.grant;
  const person = workspace.people.find(({ id }) => id === personId);
  return {
    access_token: issued.accessToken,
    token_type: "bearer",
    refresh_token: issued.refreshToken,
    bot_id: botId,
    workspace_id: workspace.id,
    workspace_name: workspace.name,
    workspace_icon: workspace.icon,
    owner: {
      type: "user",
      user: person === undefined ? { object: "user", id: personId } : personJson(person),
    },
    duplicated_template_id: null,
    request_id: reply.request.id,
  };
}

function tokenIn(body: unknown): string | null {
  return isRecord(body) && typeof body.token === "string" && body.token !== "" ? body.token : null;
}

function isClient(request: FastifyRequest, { clientId, clientSecret }: TokenServices): boolean {
  const encoded = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(request.headers.authorization ?? "")?.[1] ?? "";
  const given = Buffer.from(encoded, "base64").toString();
  return timingSafeEqual(digest(given), digest(`${clientId}:${clientSecret}`));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function refuse(reply: FastifyReply, status: number, error: string, description: string): FastifyReply {
  return reply.code(status).send({ error, error_description: description, request_id: reply.request.id });
}
