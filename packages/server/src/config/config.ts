import { commandSettings, settings } from "@clew/contract/settings";
import type { AllowList } from "../model/allow-list.ts";
import { isLoopback } from "../model/loopback.ts";
import { ConfigError, type Environment, readSettings, unknownSettings } from "./read-settings.ts";
import type { SettingValues } from "./setting-values.ts";

type Values = SettingValues<typeof settings>;

/** All settings, read once at start and frozen: each under its name in camel case, and values derived from several. */
export interface Config extends Values {
  /** Where the store opens the database: the path of a file, or a PostgreSQL URL. */
  readonly databaseLocation: string;
  /** The same, if it is a file. */
  readonly databasePath: string | null;
  /** The OAuth app at Notion; null if none is set. Without an app and a token Clew serves the demo workspace. */
  readonly notion: { readonly clientId: string; readonly clientSecret: string } | null;
  readonly allowed: AllowList;
}

type AddFault = (name: string, message: string) => void;

/** Reads the configuration (OPS-5, SIGN-10 to SIGN-12). Throws `ConfigError` with everything that is wrong at once. */
export function readConfig(env: Environment, readFile?: Parameters<typeof readSettings>[2]): Config {
  const { values, faults } = readSettings(settings, env, readFile);
  faults.unshift(...unknownSettings(Object.keys({ ...settings, ...commandSettings }), env));
  const addFault: AddFault = (name, message) => faults.push(`${name} ${message}`);
  const publicUrl = new URL(values.publicUrl);
  publicUrl.pathname = publicUrl.pathname.replace(/\/+$/, "");
  checkUrls({ ...values, publicUrl }, addFault);
  const notion = notionApp(values, addFault);
  const isLimited = values.allowedWorkspaces.length > 0 || values.allowedEmails.length > 0;
  if (notion === null && values.notionToken === null) checkDemo(values, isLimited, addFault);
  else if (!isLimited && !values.openSignIn) {
    for (const name of exposedBy(values))
      addFault(name, "is not loopback: set ALLOWED_WORKSPACES or ALLOWED_EMAILS, or OPEN_SIGN_IN=1");
  }
  const databasePath = /^sqlite:/.test(values.databaseUrl)
    ? values.databaseUrl.slice("sqlite:".length)
    : null;
  if (databasePath === null && values.encryptionKey === null)
    addFault("ENCRYPTION_KEY", "is missing: all instances on a PostgreSQL database need the same one");
  if (faults.length > 0) throw new ConfigError(faults);
  return Object.freeze({
    ...values,
    publicUrl,
    databaseLocation: databasePath ?? values.databaseUrl,
    databasePath,
    notion,
    allowed: { workspaces: values.allowedWorkspaces, emails: values.allowedEmails, anyone: !isLimited },
  });
}

/** Credentials are sent to each of these URLs, and the dashboard must be able to read PUBLIC_URL's cookies. */
function checkUrls({ publicUrl, dashboardUrl, notionApiUrl }: Values, addFault: AddFault): void {
  const urls = { NOTION_API_URL: notionApiUrl, DASHBOARD_URL: dashboardUrl, PUBLIC_URL: publicUrl };
  for (const [name, { protocol, hostname }] of Object.entries(urls)) {
    if (protocol !== "https:" && !isLoopback(hostname)) addFault(name, "must be https unless it is loopback");
  }
  const areLoopback = isLoopback(dashboardUrl.hostname) && isLoopback(publicUrl.hostname);
  if (dashboardUrl.hostname !== publicUrl.hostname && !areLoopback)
    addFault("DASHBOARD_URL", "must be on PUBLIC_URL's host");
}

/** Refuses an incomplete app, and an app together with a token (SIGN-11, SIGN-12). */
function notionApp(values: Values, addFault: AddFault): Config["notion"] {
  const { notionClientId: clientId, notionClientSecret: clientSecret, notionToken } = values;
  if (notionToken !== null && (clientId !== null || clientSecret !== null))
    addFault("NOTION_TOKEN", "cannot be combined with NOTION_CLIENT_ID and NOTION_CLIENT_SECRET");
  if (clientId !== null && clientSecret !== null) return { clientId, clientSecret };
  if (clientId !== null) addFault("NOTION_CLIENT_SECRET", "is missing, while NOTION_CLIENT_ID is set");
  if (clientSecret !== null) addFault("NOTION_CLIENT_ID", "is missing, while NOTION_CLIENT_SECRET is set");
  return null;
}

/** The settings that let other machines reach Clew. */
function exposedBy({ publicUrl, host }: Values): string[] {
  const hosts = { PUBLIC_URL: publicUrl.hostname, HOST: host };
  return Object.entries(hosts).flatMap(([name, each]) => (isLoopback(each) ? [] : [name]));
}

/** In the demo workspace people choose their identity, so other machines may reach it only if the settings say so. */
function checkDemo(values: Values, isLimited: boolean, addFault: AddFault): void {
  const exposed = exposedBy(values);
  if (exposed.length === 0) return;
  if (isLimited) {
    addFault(
      "ALLOWED_WORKSPACES and ALLOWED_EMAILS",
      "have no effect on the demo workspace, where people choose their identity: set up Notion, or remove them",
    );
  } else if (!values.openSignIn) {
    for (const name of exposed)
      addFault(
        name,
        "is not loopback: set up Notion, or set OPEN_SIGN_IN=1 and STAND_IN=1 to open the demo workspace to everyone",
      );
  }
  if (!values.standIn)
    addFault(
      "NOTION_CLIENT_ID",
      "and NOTION_TOKEN are missing, and the demo workspace is served only on loopback (or with STAND_IN=1)",
    );
}
