import { type authorizationParameters, commandLineClient, type Scope, scopeNames } from "@clew/contract";
import type { Config } from "../../config/config.ts";
import type { AppResource } from "../../model/service-token.ts";
import { readResource } from "./addresses.ts";
import { ClientFault, OAuthFault } from "./faults.ts";
import { requireParameter, requireSingle, type Sent } from "./parameters.ts";

/** The parameters of `/oauth/authorize` as they were sent, and the host by which the browser reached Clew. */
export interface Asked extends Sent<(typeof authorizationParameters)[number]> {
  readonly reachedHost: string;
}

/** The terms that a valid request asks for (RFC 6749, section 4.1.1). */
export interface Terms {
  /** The PKCE challenge, S256 (RFC 7636, section 4.3). */
  readonly challenge: string;
  readonly scopes: Scope[];
  readonly resource: AppResource;
}

/** The client and the redirect URI that a request names. Throws `ClientFault`: until both are known, nobody can be told. */
export function namedClient({ values, repeated }: Asked): { clientId: string; redirectUri: string } {
  for (const name of ["client_id", "redirect_uri"] as const) {
    if (repeated.includes(name)) throw new ClientFault(`The address names ${name} more than once.`);
    if (values[name] === undefined) throw new ClientFault(`The address lacks ${name}.`);
  }
  return { clientId: values.client_id ?? "", redirectUri: values.redirect_uri ?? "" };
}

/** Checks what a request asks for, step by step. Throws `OAuthFault`, which is sent to the redirect URI. */
export function checkTerms(asked: Asked, config: Pick<Config, "publicUrl">): Terms {
  requireSingle(asked);
  checkResponse(asked);
  return {
    challenge: readChallenge(asked),
    scopes: readScopes(asked),
    resource: readTarget(asked, config),
  };
}

function checkResponse(asked: Asked): void {
  if (requireParameter(asked, "response_type") !== "code")
    throw new OAuthFault("unsupported_response_type", "The only response type is code.");
  const { response_mode: mode = "query" } = asked.values;
  if (mode !== "query") throw new OAuthFault("invalid_request", "The only response mode is query.");
}

/** S256 alone (RFC 7636, section 4.2). Without a method the challenge would be the verifier itself. */
function readChallenge(asked: Asked): string {
  const challenge = requireParameter(asked, "code_challenge");
  if (requireParameter(asked, "code_challenge_method") !== "S256")
    throw new OAuthFault("invalid_request", "The only code challenge method is S256.");
  if (!/^[\w-]{43}$/.test(challenge))
    throw new OAuthFault("invalid_request", "code_challenge is not a SHA-256 in base64url.");
  return challenge;
}

/** All scopes if none is asked for. Unknown ones are left out (RFC 6749, section 3.3): the response says what is given. */
function readScopes({ values }: Asked): Scope[] {
  if (values.scope === undefined) return [...scopeNames];
  const asked = values.scope.split(" ");
  const known = scopeNames.filter((scope) => asked.includes(scope));
  if (known.length === 0) throw new OAuthFault("invalid_scope", `The scopes are ${scopeNames.join(", ")}.`);
  return known;
}

/** The MCP transport if none is asked for. All of V1 is for the command line alone (APP-6). */
function readTarget({ values, reachedHost }: Asked, config: Pick<Config, "publicUrl">): AppResource {
  if (values.resource === undefined) return "mcp";
  const resource = readResource(config, values.resource, reachedHost);
  if (resource === "mcp" || (resource === "v1" && values.client_id === commandLineClient.id)) return resource;
  throw new OAuthFault("invalid_target", "The resource is not one that this program can ask for here.");
}
