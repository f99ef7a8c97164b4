import { commandSettings, connectedProvider, settings } from "@clew/contract/settings";
import type { AllowList } from "../model/allow-list.ts";
import { type DatabaseLocation, parseLocation } from "../model/database-location.ts";
import { isLoopback } from "../model/loopback.ts";
import { ConfigError, type Environment, readSettings, unknownSettings } from "./read-settings.ts";
import { type CamelCase, camelCase, type SettingValues } from "./setting-values.ts";

type Values = SettingValues<typeof settings>;

/** All settings, read once at start and frozen: each under its name in camel case, and values derived from several. */
export interface Config extends Values {
  readonly databaseLocation: DatabaseLocation;
  readonly provider: ProviderConfig;
  readonly allowed: AllowList;
}

const { settings: providerSettings } = connectedProvider;

/** The values of the provider's settings, by what they are for. */
type ProviderValues = {
  readonly [Use in keyof typeof providerSettings]: Values[CamelCase<(typeof providerSettings)[Use]>];
};

/** How a workspace is connected. Without an app and a token Clew serves the demo workspace. */
interface ProviderConfig extends Omit<ProviderValues, "clientId" | "clientSecret"> {
  /** The OAuth app at the provider; null if none is set. */
  readonly app: { readonly clientId: string; readonly clientSecret: string } | null;
  /** True if there is neither an app nor a token. */
  readonly isDemo: boolean;
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
  const provider = providerConfig(values, addFault);
  const isLimited = values.allowedWorkspaces.length > 0 || values.allowedEmails.length > 0;
  if (provider.isDemo) checkDemo(values, isLimited, addFault);
  else if (!isLimited && !values.openSignIn) {
    for (const name of exposedBy(values))
      addFault(name, "is not loopback: set ALLOWED_WORKSPACES or ALLOWED_EMAILS, or OPEN_SIGN_IN=1");
  }
  if (provider.isDemo && values.clewRole.includes("serve") !== values.clewRole.includes("sync"))
    addFault(
      "CLEW_ROLE",
      `must have both serve and sync, or neither: the demo workspace is inside one process. Set up ${connectedProvider.name} to divide them`,
    );
  const databaseLocation = parseLocation(values.databaseUrl);
  if (databaseLocation.kind === "postgres" && values.encryptionKey === null)
    addFault(
      "ENCRYPTION_KEY",
      "is missing: all instances on a PostgreSQL database need the same one; `openssl rand -base64 32` prints one",
    );
  if (faults.length > 0) throw new ConfigError(faults);
  return Object.freeze({
    ...values,
    publicUrl,
    databaseLocation,
    provider,
    allowed: { workspaces: values.allowedWorkspaces, emails: values.allowedEmails, anyone: !isLimited },
  });
}

/** Credentials are sent to each of these URLs, and the dashboard must be able to read PUBLIC_URL's cookies. */
function checkUrls(values: Values, addFault: AddFault): void {
  const { publicUrl, dashboardUrl } = values;
  const { apiUrl } = providerValues(values);
  const urls = { [providerSettings.apiUrl]: apiUrl, DASHBOARD_URL: dashboardUrl, PUBLIC_URL: publicUrl };
  for (const [name, { protocol, hostname }] of Object.entries(urls)) {
    if (protocol !== "https:" && !isLoopback(hostname)) addFault(name, "must be https unless it is loopback");
  }
  const areLoopback = isLoopback(dashboardUrl.hostname) && isLoopback(publicUrl.hostname);
  if (dashboardUrl.hostname !== publicUrl.hostname && !areLoopback)
    addFault("DASHBOARD_URL", "must be on PUBLIC_URL's host");
}

/** Refuses an incomplete app, and an app together with a token (SIGN-11, SIGN-12). */
function providerConfig(values: Values, addFault: AddFault): ProviderConfig {
  const { clientId, clientSecret, ...others } = providerValues(values);
  const { clientId: idName, clientSecret: secretName, token: tokenName } = providerSettings;
  if (others.token !== null && (clientId !== null || clientSecret !== null))
    addFault(tokenName, `cannot be combined with ${idName} and ${secretName}`);
  if (clientId !== null && clientSecret === null) addFault(secretName, `is missing, while ${idName} is set`);
  if (clientId === null && clientSecret !== null) addFault(idName, `is missing, while ${secretName} is set`);
  const app = clientId === null || clientSecret === null ? null : { clientId, clientSecret };
  return { ...others, app, isDemo: app === null && others.token === null };
}

function providerValues(values: Values): ProviderValues {
  const byName = new Map<string, unknown>(Object.entries(values));
  const given = Object.entries(providerSettings).map(([use, name]) => [use, byName.get(camelCase(name))]);
  // The names are those of the settings table, by which `Values` is typed.
  return Object.fromEntries(given) as ProviderValues;
}

/** The settings that let other machines reach Clew. */
function exposedBy({ publicUrl, host }: Values): string[] {
  const hosts = { PUBLIC_URL: publicUrl.hostname, HOST: host };
  return Object.entries(hosts).flatMap(([name, each]) => (isLoopback(each) ? [] : [name]));
}

/**
 * In the demo workspace people choose their identity, so other machines may reach it only if the settings say so. The sample
 * is public, and `openSample` opens nothing but it: a PUBLIC_URL off loopback is a service that lacks its source.
 */
function checkDemo(values: Values, isLimited: boolean, addFault: AddFault): void {
  const exposed = exposedBy(values);
  if (exposed.length === 0) return;
  const isSampleAlone = values.workspaceDir === null && !isLimited && isLoopback(values.publicUrl.hostname);
  if (values.openSample && isSampleAlone) return;
  if (isLimited) {
    addFault(
      "ALLOWED_WORKSPACES and ALLOWED_EMAILS",
      `have no effect on the demo workspace, where people choose their identity: set up ${connectedProvider.name}, or remove them`,
    );
  } else if (!values.openSignIn) {
    for (const name of exposed)
      addFault(
        name,
        `is not loopback: set up ${connectedProvider.name}, or set OPEN_SIGN_IN=1 and STAND_IN=1 to open the demo workspace to everyone`,
      );
  }
  if (!values.standIn)
    addFault(
      providerSettings.clientId,
      `and ${providerSettings.token} are missing, and the demo workspace is served only on loopback (or with STAND_IN=1)`,
    );
}
