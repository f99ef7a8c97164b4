import { type AppRequest, tokenLimits } from "@clew/contract";
import type { Connection } from "../model/connection.ts";
import { type AppResource, hostOfRedirect, resourceUrl, type ServiceToken } from "../model/service-token.ts";
import { presentServiceToken } from "./token.ts";
import { formatTimestamp, presentIcon } from "./values.ts";

/** The parts of an app's request that the person sees. */
interface ShownRequest {
  readonly client: Pick<AppRequest["client"], "name" | "kind" | "host">;
  readonly redirectUri: string;
  readonly isLoopback: boolean;
  /** The scopes and the resource that it asks for, or the address that tells the program why it is refused. */
  readonly settled:
    | { readonly terms: { readonly scopes: AppRequest["scopes"]; readonly resource: AppResource } }
    | { readonly refusal: string };
  readonly expiresAt: number;
}

/** The things that the person can choose from. */
interface Choices {
  readonly connections: readonly Connection[];
  /** The person's usable tokens, newest first. */
  readonly tokens: readonly ServiceToken[];
  /** The number of places that are taken, by tokens and by codes. */
  readonly places: number;
  readonly at: Parameters<typeof presentServiceToken>[1];
}

/** An app's request for the person who decides about it (APP-4). */
export function presentAppRequest(request: ShownRequest, choices: Choices): AppRequest {
  const { client, redirectUri, settled } = request;
  const { connections, tokens, places, at } = choices;
  const isFull = places >= tokenLimits.usablePerUser;
  const earlier = tokens.find((token) => isSameProgram(token, client.name, redirectUri));
  const terms = "terms" in settled ? settled.terms : null;
  return {
    expires_at: formatTimestamp(request.expiresAt),
    client: { name: client.name, kind: client.kind, host: client.host },
    redirect: { host: hostOfRedirect(redirectUri), is_loopback: request.isLoopback, uri: redirectUri },
    resource: resourceUrl(at.publicUrl, terms?.resource ?? "mcp"),
    scopes: [...(terms?.scopes ?? [])],
    workspaces: connections.map((connection) => ({
      id: connection.workspaceId,
      name: connection.name,
      icon: presentIcon(connection.icon),
      status: connection.status,
    })),
    limit_reached: isFull,
    usable_tokens: isFull ? tokens.map((token) => presentServiceToken(token, at)) : [],
    earlier_token: earlier === undefined ? null : presentServiceToken(earlier, at),
    redirect_to: "refusal" in settled ? settled.refusal : null,
  };
}

/**
 * Whether a token belongs to the program that asks: its https address is the same, and so is its name. A program that registers
 * anew each time has another id, and one on a loopback address may be on another machine.
 */
function isSameProgram({ client }: ServiceToken, name: string, redirectUri: string): boolean {
  return client?.redirectUri === redirectUri && client.name === name && redirectUri.startsWith("https:");
}
