import { readdirSync } from "node:fs";
import type { Scope } from "@clew/contract";
import { directory as dashboard } from "@clew/dashboard";

/** Whom a path is for. */
export type Access =
  | { readonly kind: "session" }
  | { readonly kind: "service-token"; readonly scopes: readonly Scope[] };

/** The words that stand for the provider in a path (SIGN-7). */
const providerWords = ["provider", "stand-in", "notion"];

const openSignIn = providerWords.flatMap((word): [string, number][] => [
  [`GET /api/integrations/auth/${word}`, 302],
  [`GET /api/integrations/auth/${word}/callback`, 302],
  [`GET /api/integrations/auth/${word}/status`, 200],
]);

/** They are opened by a signature, and by nothing else. */
const webhooks = providerWords.map((word): [string, number] => [
  `POST /api/integrations/${word}/webhook`,
  401,
]);

const openFiles = readdirSync(dashboard).map((name): [string, number] => [
  name === "index.html" ? "GET /dashboard" : `GET /dashboard/${name}`,
  200,
]);

/** The demo workspace, as far as browsers see it (SIGN-11): without a request of a sign-in, and for a page that is none. */
const demo: [string, number][] = [
  ["GET /demo/site.css", 200],
  ["GET /demo/pages/:id", 404],
  ["GET /demo/v1/oauth/authorize", 400],
  ["POST /demo/v1/oauth/authorize", 415],
];

/**
 * All that answers somebody without credentials, and with which status where the request says nothing else. Written
 * out, so that a route that opens up is noticed.
 */
export const openRoutes: ReadonlyMap<string, number> = new Map([
  ["GET /healthz", 200],
  ["GET /readyz", 200],
  ["GET /api/v1/openapi.json", 200],
  // It takes its credentials in the body.
  ["POST /api/auth/refresh", 400],
  ["GET /", 302],
  ...demo,
  // It tells clients that there is nothing to register for.
  ["POST /register", 400],
  ...webhooks,
  ...openSignIn,
  ...openFiles,
]);

/** What V1 asks of a service token, by the path below `/api/v1` (seed 2.4). */
const v1Scopes: Readonly<Record<string, readonly Scope[]>> = {
  "": [],
  "/token": [],
  "/workspaces": [],
  "/search": ["graph:search"],
  "/nodes": ["graph:read"],
  "/nodes/:id": ["graph:read"],
  "/nodes/:id/content": ["graph:read"],
  "/nodes/:id/neighbors": ["graph:neighbors"],
  "/paths": ["graph:neighbors"],
  "/changes": ["graph:search", "graph:read"],
  // Which tools there are depends on the scopes.
  "/mcp": [],
};

const v1 = "/api/v1";

/** Whom a path that is not open must be for: service tokens below V1, sessions everywhere else (TOK-11). */
export function accessOf(pattern: string): Access {
  if (pattern !== v1 && !pattern.startsWith(`${v1}/`)) return { kind: "session" };
  const scopes = v1Scopes[pattern.slice(v1.length)];
  if (scopes === undefined)
    throw new Error(`${pattern}: say in this policy which scopes the new operation needs`);
  return { kind: "service-token", scopes };
}
