import { callbackUrl } from "../auth/sign-in/callback-url.ts";
import type { Config } from "../config/config.ts";
import { readConfig, type SettingName, settingNames } from "../config/read-config.ts";
import type { Environment } from "../config/settings.ts";
import { keyFileOf } from "../secrets/open-secrets.ts";
import type { CliContext } from "./context.ts";
import { table } from "./table.ts";

/**
 * Shows what Clew would run with: each setting, and whether it comes from the environment, from `.env`, from a secret's file, or is the default.
 * Throws `ConfigError` where Clew would refuse to start.
 */
export function showConfig({ env, fromEnvFile, print }: CliContext): void {
  const config = readConfig(env);
  const values = valuesOf(config, env);
  const rows = settingNames.map((setting) => ({
    setting,
    value: values[setting] ?? "",
    from: originOf(setting, env, fromEnvFile),
  }));
  for (const line of table(rows)) print(line);
  print("");
  print(`Redirect URI for an OAuth app at Notion: ${callbackUrl(config.publicUrl)}`);
}

function originOf(name: SettingName, env: Environment, fromEnvFile: ReadonlySet<string>): string {
  if (env[`${name}_FILE`]) return env[`${name}_FILE`] ?? "";
  if (!env[name]) return "default";
  return fromEnvFile.has(name) ? ".env" : "the environment";
}

/** Of a secret no more than that there is one. */
const secret = "(not shown)";

/** The settings as they are in effect; null where there is none. */
function valuesOf(config: Config, env: Environment): Readonly<Record<SettingName, string | null>> {
  const { notion, notionToken, allowed, rateLimits } = config;
  const given = (name: SettingName) => env[name] ?? null;
  return {
    HOST: config.host,
    PORT: String(config.port),
    PUBLIC_URL: config.publicUrl.href,
    DASHBOARD_URL: config.dashboardUrl.href,
    DATA_DIR: config.dataDir,
    DATABASE_URL: `sqlite:${config.databasePath}`,
    NOTION_CLIENT_ID: notion?.clientId ?? null,
    NOTION_CLIENT_SECRET: notion && secret,
    NOTION_TOKEN: notionToken && secret,
    NOTION_API_URL: (notion ?? notionToken)?.apiUrl.href ?? null,
    NOTION_WEBHOOK_TOKEN: config.notionWebhookToken && secret,
    NOTION_WEBHOOK_SETUP: switchOf(config.notionWebhookSetup),
    WORKSPACE_DIR:
      config.workspaceDir ?? ((notion ?? notionToken) === null ? "the sample that comes with Clew" : null),
    STAND_IN: given("STAND_IN"),
    ALLOWED_WORKSPACES: allowed.workspaces.join(", "),
    ALLOWED_EMAILS: allowed.emails.join(", "),
    OPEN_SIGN_IN: given("OPEN_SIGN_IN"),
    ENCRYPTION_KEY: config.encryptionKey ? secret : `in ${keyFileOf(config.dataDir)}`,
    SYNC_INTERVAL: seconds(config.syncInterval),
    WITHDRAWN_GRACE: seconds(config.withdrawnGrace),
    CONNECTION_QUOTA: String(config.connectionQuota),
    RATE_LIMIT_TOKEN: String(rateLimits.token),
    RATE_LIMIT_SESSION: String(rateLimits.session),
    RATE_LIMIT_SIGN_IN: String(rateLimits.signIn),
    RATE_LIMIT_FAILED_AUTH: String(rateLimits.failedAuth),
    RATE_LIMIT_OPEN: String(rateLimits.open),
    TRUST_PROXY: given("TRUST_PROXY"),
    METRICS_PORT: config.metricsPort === null ? null : String(config.metricsPort),
    LOG_LEVEL: config.logLevel,
  };
}

const switchOf = (on: boolean) => (on ? "1" : "0");

const seconds = (milliseconds: number) => `${milliseconds / 1000}s`;
