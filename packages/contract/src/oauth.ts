import { type Static, Type } from "typebox";
import { named, oneOf } from "./schema.ts";

/** The error codes of the OAuth endpoints, with the RFC that defines each. */
export const oauthErrors = [
  // RFC 6749, sections 4.1.2.1 and 5.2.
  "invalid_request",
  "invalid_client",
  "invalid_grant",
  "unauthorized_client",
  "unsupported_grant_type",
  "unsupported_response_type",
  "invalid_scope",
  "access_denied",
  "server_error",
  "temporarily_unavailable",
  // RFC 8707, section 2.
  "invalid_target",
  // RFC 7591, section 3.2.2.
  "invalid_redirect_uri",
  "invalid_client_metadata",
] as const;

export type OAuthErrorCode = (typeof oauthErrors)[number];

/** The response to a failed request below `/oauth/` (RFC 6749, section 5.2; RFC 7591, section 3.2.2). */
export const OAuthError = named(
  "OAuthError",
  Type.Object({ error: oneOf(oauthErrors), error_description: Type.String() }),
);
export type OAuthError = Static<typeof OAuthError>;

/** The parameters of `/oauth/authorize` that Clew reads. Others are ignored; a repeated one is refused. */
export const authorizationParameters = [
  "client_id",
  "redirect_uri",
  "response_type",
  "response_mode",
  "state",
  "scope",
  "resource",
  "code_challenge",
  "code_challenge_method",
] as const;

/** The fields of the form that `/oauth/token` reads. */
export const tokenParameters = [
  "grant_type",
  "code",
  "redirect_uri",
  "client_id",
  "client_secret",
  "code_verifier",
  "resource",
] as const;

/** The fields of the form that `/oauth/revoke` reads (RFC 7009, section 2.1). */
export const revocationParameters = ["token", "token_type_hint", "client_id"] as const;

/** The client of `clew login`: the only one that may ask for all of V1 as its resource (APP-6). */
export const commandLineClient = {
  id: "clew-login",
  name: "Clew on the command line",
  /** The path of its redirect URI on a loopback address, whose port is free. */
  redirectPath: "/callback",
} as const;

/** The protected resource of agents (RFC 9728, section 2). */
export const ResourceMetadata = named(
  "ResourceMetadata",
  Type.Object({
    resource: Type.String({ description: "The URL of the MCP transport as the client knows it" }),
    resource_name: Type.String(),
    authorization_servers: Type.Array(Type.String()),
    scopes_supported: Type.Array(Type.String()),
    bearer_methods_supported: Type.Array(Type.String()),
  }),
);
export type ResourceMetadata = Static<typeof ResourceMetadata>;

/** Clew as an authorization server (RFC 8414, section 2). */
export const ServerMetadata = named(
  "ServerMetadata",
  Type.Object({
    issuer: Type.String(),
    authorization_endpoint: Type.String(),
    token_endpoint: Type.String(),
    registration_endpoint: Type.String(),
    revocation_endpoint: Type.String(),
    scopes_supported: Type.Array(Type.String()),
    response_types_supported: Type.Array(Type.String()),
    response_modes_supported: Type.Array(Type.String()),
    grant_types_supported: Type.Array(Type.String()),
    token_endpoint_auth_methods_supported: Type.Array(Type.String()),
    revocation_endpoint_auth_methods_supported: Type.Array(Type.String()),
    code_challenge_methods_supported: Type.Array(Type.String()),
    authorization_response_iss_parameter_supported: Type.Literal(true),
    client_id_metadata_document_supported: Type.Literal(true),
  }),
);
export type ServerMetadata = Static<typeof ServerMetadata>;

/** The limits of a client's registration (APP-3). */
export const clientLimits = {
  redirectUris: 5,
  /** Bytes of what the client id contains. */
  registrationBytes: 2048,
  nameLength: 100,
} as const;

/** A client that has registered (RFC 7591, section 3.2.1). It gets no secret. */
export const RegisteredClient = named(
  "RegisteredClient",
  Type.Object({
    client_id: Type.String({ description: "The sealed registration: Clew stores nothing else of it" }),
    client_id_issued_at: Type.Integer(),
    client_name: Type.Optional(Type.String()),
    redirect_uris: Type.Array(Type.String()),
    grant_types: Type.Array(Type.String()),
    response_types: Type.Array(Type.String()),
    token_endpoint_auth_method: Type.Literal("none"),
  }),
);
export type RegisteredClient = Static<typeof RegisteredClient>;

/** The token of a connected app (RFC 6749, section 5.1). There is no refresh token (APP-5). */
export const AppToken = named(
  "AppToken",
  Type.Object({
    access_token: Type.String({ description: "A service token. It cannot be read again" }),
    token_type: Type.Literal("Bearer"),
    expires_in: Type.Integer({ description: "Seconds" }),
    scope: Type.String({ description: "The scopes that the person allowed, separated by spaces" }),
  }),
);
export type AppToken = Static<typeof AppToken>;
