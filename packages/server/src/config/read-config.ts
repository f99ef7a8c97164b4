import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "./config.ts";
import { isLoopback } from "./loopback.ts";
import { nearestName } from "./nearest-name.ts";
import * as settings from "./settings.ts";
import { proxyRanges } from "./trusted-proxies.ts";

/** The environment does not say how to run Clew. The message names every fault, and no secret. */
export class ConfigError extends Error {
  constructor(faults: readonly string[]) {
    super(
      ["Clew does not start, because of its settings:", ...faults.map((fault) => `  - ${fault}`)].join("\n"),
    );
    this.name = "ConfigError";
  }
}

/** The names of all settings. */
export const settingNames = [
  "HOST",
  "PORT",
  "PUBLIC_URL",
  "DASHBOARD_URL",
  "DATA_DIR",
  "DATABASE_URL",
  "NOTION_CLIENT_ID",
  "NOTION_CLIENT_SECRET",
  "NOTION_TOKEN",
  "NOTION_API_URL",
  "NOTION_WEBHOOK_TOKEN",
  "NOTION_WEBHOOK_SETUP",
  "WORKSPACE_DIR",
  "STAND_IN",
  "ALLOWED_WORKSPACES",
  "ALLOWED_EMAILS",
  "OPEN_SIGN_IN",
  "ENCRYPTION_KEY",
  "SYNC_INTERVAL",
  "WITHDRAWN_GRACE",
  "CONNECTION_QUOTA",
  "RATE_LIMIT_TOKEN",
  "RATE_LIMIT_SESSION",
  "RATE_LIMIT_SIGN_IN",
  "RATE_LIMIT_FAILED_AUTH",
  "RATE_LIMIT_OPEN",
  "TRUST_PROXY",
  "METRICS_PORT",
  "LOG_LEVEL",
] as const;
export type SettingName = (typeof settingNames)[number];

/** Names that begin so are Clew's own: one that is not known is a misspelt setting (OPS-5). */
const ownPrefixes = ["CLEW_", "NOTION_", "RATE_LIMIT_", "SYNC_"];

/** What Clew's client commands read: no business of the server's, and no misspelt setting. */
const clientNames = ["CLEW_URL", "CLEW_TOKEN", "CLEW_TOKEN_FILE"];

/**
 * Reads the configuration from the environment (OPS-5, SIGN-10 to SIGN-12).
 * Throws `ConfigError` with every fault at once.
 */
export function readConfig(
  env: settings.Environment,
  readFile: (path: string) => string = (path) => readFileSync(path, "utf8"),
): Config {
  const reader = settings.settingsReader(env, readFile);
  refuseUnknown(env, reader);
  const host = reader.read("HOST", settings.text) ?? "127.0.0.1";
  const port = reader.read("PORT", settings.integer(0, 65_535)) ?? 8420;
  const publicUrl = withoutTrailingSlash(
    reader.read("PUBLIC_URL", settings.url) ?? new URL(`http://localhost:${port}`),
  );
  const dataDir = reader.read("DATA_DIR", settings.path) ?? settings.path("data");
  const { notion, notionToken } = readNotion(reader);
  const allowed = readAllowed(reader);
  const dashboardUrl =
    reader.read("DASHBOARD_URL", settings.url) ?? new URL(`${publicUrl.href.replace(/\/$/, "")}/dashboard`);
  checkDashboard(reader, dashboardUrl, publicUrl);
  checkReach(reader, { host, publicUrl, standIn: notion === null && notionToken === null, allowed });
  const config: Config = {
    host,
    port,
    publicUrl,
    dashboardUrl,
    dataDir,
    databasePath: reader.read("DATABASE_URL", settings.sqlitePath) ?? join(dataDir, "clew.db"),
    notion,
    notionToken,
    workspaceDir: reader.read("WORKSPACE_DIR", settings.path) ?? null,
    allowed: { ...allowed.lists, anyone: !allowed.limited },
    encryptionKey: reader.read("ENCRYPTION_KEY", settings.key256) ?? null,
    syncInterval: reader.read("SYNC_INTERVAL", settings.duration) ?? settings.duration("15m"),
    withdrawnGrace: reader.read("WITHDRAWN_GRACE", settings.duration) ?? settings.duration("7d"),
    connectionQuota: reader.read("CONNECTION_QUOTA", settings.bytes) ?? settings.bytes("16GiB"),
    notionWebhookToken: reader.read("NOTION_WEBHOOK_TOKEN", settings.text) ?? null,
    notionWebhookSetup: reader.read("NOTION_WEBHOOK_SETUP", settings.flag) ?? false,
    rateLimits: readRateLimits(reader),
    trustProxy: reader.read("TRUST_PROXY", proxyRanges) ?? [],
    metricsPort: reader.read("METRICS_PORT", settings.integer(1, 65_535)) ?? null,
    logLevel: reader.read("LOG_LEVEL", settings.oneOf(logLevels)) ?? "info",
  };
  if (reader.faults.length > 0) throw new ConfigError(reader.faults);
  return Object.freeze(config);
}

const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

function refuseUnknown(env: settings.Environment, reader: settings.SettingsReader): void {
  const names = new Set<string>([...settingNames.flatMap((name) => [name, `${name}_FILE`]), ...clientNames]);
  for (const name of Object.keys(env)) {
    const own = ownPrefixes.some((prefix) => name.startsWith(prefix));
    if (!own || names.has(name)) continue;
    const nearest = nearestName(name.replace(/^CLEW_/, ""), settingNames);
    reader.fault(name, `is not a setting of Clew; the nearest is ${nearest}`);
  }
}

function withoutTrailingSlash(url: URL): URL {
  const copy = new URL(url);
  copy.pathname = copy.pathname.replace(/\/+$/, "");
  return copy;
}

/** An OAuth app or one token, but not both: the demo workspace where there is neither (SIGN-11, SIGN-12). */
function readNotion(reader: settings.SettingsReader): Pick<Config, "notion" | "notionToken"> {
  const clientId = reader.read("NOTION_CLIENT_ID", settings.text);
  const clientSecret = reader.read("NOTION_CLIENT_SECRET", settings.text);
  const apiUrl = reader.read("NOTION_API_URL", settings.url) ?? new URL("https://api.notion.com");
  if (!isPrivateOnTheWay(apiUrl)) reader.fault("NOTION_API_URL", "must be https unless it is loopback");
  const token = reader.read("NOTION_TOKEN", settings.token);
  if (token && (clientId || clientSecret))
    reader.fault("NOTION_TOKEN", "does not go together with NOTION_CLIENT_ID and NOTION_CLIENT_SECRET");
  const notionToken = token === undefined ? null : { token, apiUrl };
  if (clientId && clientSecret) return { notion: { clientId, clientSecret, apiUrl }, notionToken };
  if (clientId) reader.fault("NOTION_CLIENT_SECRET", "is missing, while NOTION_CLIENT_ID is set");
  if (clientSecret) reader.fault("NOTION_CLIENT_ID", "is missing, while NOTION_CLIENT_SECRET is set");
  return { notion: null, notionToken };
}

/** Who may sign in: only whom the lists name, or anyone where there is none and that was said aloud. */
function readAllowed(reader: settings.SettingsReader) {
  const emails = reader.read("ALLOWED_EMAILS", settings.list) ?? [];
  for (const email of emails) {
    if (!/^[^@\s]*@[^@\s]+$/.test(email)) reader.fault("ALLOWED_EMAILS", "must hold addresses or @domains");
  }
  const lists = {
    workspaces: reader.read("ALLOWED_WORKSPACES", settings.list) ?? [],
    emails: emails.map((email) => email.toLowerCase()),
  };
  const limited = lists.workspaces.length > 0 || lists.emails.length > 0;
  return { lists, limited, open: reader.read("OPEN_SIGN_IN", settings.flag) ?? false };
}

/** Whether nobody on the way can read what is sent there. */
function isPrivateOnTheWay(url: URL): boolean {
  return url.protocol === "https:" || isLoopback(url.hostname);
}

/** The dashboard is where a sign-in leaves its tokens, and it must be able to read PUBLIC_URL's cookies. */
function checkDashboard(reader: settings.SettingsReader, dashboardUrl: URL, publicUrl: URL): void {
  const isSameHost = dashboardUrl.hostname === publicUrl.hostname;
  const areLoopback = isLoopback(dashboardUrl.hostname) && isLoopback(publicUrl.hostname);
  if (!isSameHost && !areLoopback) reader.fault("DASHBOARD_URL", "must be on PUBLIC_URL's host");
  if (!isPrivateOnTheWay(dashboardUrl)) reader.fault("DASHBOARD_URL", "must be https unless it is loopback");
}

interface Exposure {
  readonly host: string;
  readonly publicUrl: URL;
  readonly standIn: boolean;
  readonly allowed: ReturnType<typeof readAllowed>;
}

/** What may be reached from elsewhere must say who may sign in, and how it is kept secret on the way. */
function checkReach(reader: settings.SettingsReader, { host, publicUrl, standIn, allowed }: Exposure): void {
  const standInWanted = reader.read("STAND_IN", settings.flag) ?? false;
  const exposedBy = [
    ...(isLoopback(publicUrl.hostname) ? [] : ["PUBLIC_URL"]),
    ...(isLoopback(host) ? [] : ["HOST"]),
  ];
  if (!isPrivateOnTheWay(publicUrl)) reader.fault("PUBLIC_URL", "must be https unless it is loopback");
  const remedy = standIn
    ? "set up Notion, or set OPEN_SIGN_IN=1 and STAND_IN=1 to open the demo workspace to everybody"
    : "set ALLOWED_WORKSPACES or ALLOWED_EMAILS, or OPEN_SIGN_IN=1";
  for (const name of allowed.limited || allowed.open ? [] : exposedBy) {
    reader.fault(name, `is not loopback: ${remedy}`);
  }
  if (standIn && allowed.limited && exposedBy.length > 0) {
    reader.fault(
      "ALLOWED_WORKSPACES and ALLOWED_EMAILS",
      "keep nobody out of the demo workspace, where anybody chooses who they are: set up Notion, or remove them",
    );
  }
  if (standIn && !standInWanted && exposedBy.length > 0) {
    reader.fault(
      "NOTION_CLIENT_ID",
      "is missing, NOTION_TOKEN as well, and the demo workspace serves only on loopback (or with STAND_IN=1)",
    );
  }
}

function readRateLimits(reader: settings.SettingsReader): Config["rateLimits"] {
  const limit = (name: string, standard: number) =>
    reader.read(name, settings.integer(0, 1_000_000)) ?? standard;
  return {
    token: limit("RATE_LIMIT_TOKEN", 600),
    session: limit("RATE_LIMIT_SESSION", 600),
    signIn: limit("RATE_LIMIT_SIGN_IN", 30),
    failedAuth: limit("RATE_LIMIT_FAILED_AUTH", 60),
    open: limit("RATE_LIMIT_OPEN", 1200),
  };
}
