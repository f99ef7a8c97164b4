import type { AllowList } from "../model/allow-list.ts";

/** Requests a minute; 0 turns a limit off (LIM-1). */
interface RateLimits {
  readonly token: number;
  readonly session: number;
  readonly signIn: number;
  readonly failedAuth: number;
  readonly open: number;
}

/** All that can be set from outside, read once at start and frozen. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** How browsers reach Clew; its path, without a trailing slash, is where the server serves. */
  readonly publicUrl: URL;
  readonly dashboardUrl: URL;
  readonly dataDir: string;
  readonly databasePath: string;
  /** The OAuth app at the provider; null where there is none. Without it and a token the stand-in serves. */
  readonly notion: { readonly clientId: string; readonly clientSecret: string; readonly apiUrl: URL } | null;
  /** One token in the place of an OAuth app (SIGN-12); null where there is none. */
  readonly notionToken: { readonly token: string; readonly apiUrl: URL } | null;
  /** The folder that the stand-in serves; null for the sample that comes with Clew. */
  readonly workspaceDir: string | null;
  readonly allowed: AllowList;
  /** 32 bytes; null where the key file in `dataDir` holds them. */
  readonly encryptionKey: Uint8Array | null;
  /** Milliseconds between two syncs of a connection; 0 = only on demand. */
  readonly syncInterval: number;
  /** Milliseconds for which a graph stays readable after its grant was withdrawn. */
  readonly withdrawnGrace: number;
  /** Bytes that one connection may store; 0 = no limit. */
  readonly connectionQuota: number;
  /** The key of the provider's webhooks; null where they are refused. */
  readonly notionWebhookToken: string | null;
  /** Whether the provider may hand over that key now. */
  readonly notionWebhookSetup: boolean;
  readonly rateLimits: RateLimits;
  /** Ranges of the addresses whose `X-Forwarded-*` headers are believed. */
  readonly trustProxy: readonly string[];
  /** Where metrics are served; null for nowhere. */
  readonly metricsPort: number | null;
  readonly logLevel: "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";
}
