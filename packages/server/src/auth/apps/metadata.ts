import { type ResourceMetadata, type ServerMetadata, scopeNames } from "@clew/contract";
import type { Config } from "../../config/config.ts";
import { issuerOf, mcpPath, reachedUrl, resourceMetadataPath } from "./addresses.ts";

type PublicUrl = Pick<Config, "publicUrl">;
type Reached = Parameters<typeof reachedUrl>[1];

/** The metadata of the authorization server (RFC 8414, section 2). All addresses come from PUBLIC_URL (APP-1). */
export function serverMetadata(config: PublicUrl): ServerMetadata {
  const issuer = issuerOf(config);
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    registration_endpoint: `${issuer}/oauth/register`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    scopes_supported: [...scopeNames],
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code"],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  };
}

/**
 * The metadata of the MCP transport (RFC 9728, section 2). `rest` is what follows its path in the URL that the client was given:
 * clients compare the resource with that URL.
 */
export function resourceMetadata(config: PublicUrl, reached: Reached, rest: string): ResourceMetadata {
  return {
    resource: reachedUrl(config, reached) + mcpPath + rest,
    resource_name: "Clew",
    authorization_servers: [issuerOf(config)],
    scopes_supported: [...scopeNames],
    bearer_methods_supported: ["header"],
  };
}

/** The parameters that a 401 of the MCP transport adds to its challenge (RFC 9728, section 5.1; APP-2). */
export function resourceChallenge(config: PublicUrl, reached: Reached, rest: string) {
  return {
    resource_metadata: reachedUrl(config, reached) + resourceMetadataPath + mcpPath + rest,
    scope: scopeNames.join(" "),
  };
}
