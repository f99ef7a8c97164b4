import type { OAuthErrorCode } from "@clew/contract";

/** A fault of an OAuth request that its client learns of (RFC 6749, sections 4.1.2.1 and 5.2). `message` is public. */
export class OAuthFault extends Error {
  readonly code: OAuthErrorCode;

  constructor(code: OAuthErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.name = "OAuthFault";
    this.code = code;
  }
}

/**
 * A fault of the client or of its redirect URI. The person learns of it, and the browser is sent nowhere: the one who made the address
 * could choose where (RFC 6749, section 4.1.2.1). `message` is public.
 */
export class ClientFault extends Error {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.name = "ClientFault";
  }
}
