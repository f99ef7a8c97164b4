import { commandSettings, connectedProvider, settings } from "@clew/contract/settings";
import type { AllowList } from "../model/allow-list.ts";
import { type DatabaseLocation, parseLocation } from "../model/database-location.ts";
import { allFolders, demoSlug, type FolderConfig, folderPeople } from "../model/folders.ts";
import { isLoopback } from "../model/loopback.ts";
import { ConfigError, type Environment, readSettings, unknownSettings } from "./read-settings.ts";
import { type CamelCase, camelCase, type SettingValues } from "./setting-values.ts";

type Values = SettingValues<typeof settings>;

/** All settings, read once at start and frozen: each under its name in camel case, and values derived from several. */
export interface Config extends Values {
  /** The only database, or that of the home bucket. */
  readonly databaseLocation: DatabaseLocation;
  /** All databases, in the order in which they were added. */
  readonly databaseLocations: readonly DatabaseLocation[];
  readonly provider: ProviderConfig;
  /** The folders that are sources: of FOLDERS, WORKSPACE_DIR and the command line. */
  readonly folders: readonly FolderConfig[];
  /** Whether a person opens a folder with a one-time code: unless only this machine reaches Clew (SIGN-12). */
  readonly foldersAskForCode: boolean;
  readonly allowed: AllowList;
}

const { settings: providerSettings } = connectedProvider;

/** The values of the provider's settings, by what they are for. */
type ProviderValues = {
  readonly [Use in keyof typeof providerSettings]: Values[CamelCase<(typeof providerSettings)[Use]>];
};

/** How workspaces of the provider are connected. Without an app, a token and a folder Clew serves the demo workspace. */
interface ProviderConfig extends Omit<ProviderValues, "clientId" | "clientSecret"> {
  /** The OAuth app at the provider; null if none is set. */
  readonly app: { readonly clientId: string; readonly clientSecret: string } | null;
  /** True if there is an app or a token. */
  readonly isConnected: boolean;
  /** True if the demo workspace is served, because there is no source. */
  readonly isDemo: boolean;
}

type AddFault = (name: string, message: string) => void;

/** The folders of `clew serve PATH`, and how files are read, for tests. */
interface Given {
  readonly folders?: readonly string[];
  readonly readFile?: Parameters<typeof readSettings>[2];
}

/**
 * Reads the configuration (OPS-5, SIGN-10 to SIGN-12, SRC-2). Throws `ConfigError` with everything that is wrong at once.
 */
export function readConfig(env: Environment, { folders: paths = [], readFile }: Given = {}): Config {
  const { values, faults } = readSettings(settings, env, readFile);
  faults.unshift(...unknownSettings(Object.keys({ ...settings, ...commandSettings }), env));
  const addFault: AddFault = (name, message) => faults.push(`${name} ${message}`);
  const publicUrl = new URL(values.publicUrl);
  publicUrl.pathname = publicUrl.pathname.replace(/(?<!\/)\/+$/, "");
  checkUrls({ ...values, publicUrl }, addFault);
  const folders = allFolders(values, paths);
  const provider = providerConfig(values, folders, addFault);
  const isLimited = values.allowedWorkspaces.length > 0 || values.allowedEmails.length > 0;
  if (provider.isDemo) checkDemo(values, isLimited, addFault);
  else if (provider.isConnected && !isLimited && !values.openSignIn) {
    for (const name of exposedBy(values))
      addFault(name, "is not loopback: set ALLOWED_WORKSPACES or ALLOWED_EMAILS, or OPEN_SIGN_IN=1");
  }
  if (provider.isDemo && values.clewRole.includes("serve") !== values.clewRole.includes("sync"))
    addFault(
      "CLEW_ROLE",
      `must have both serve and sync, or neither: the demo workspace is inside one process. Set up ${connectedProvider.name} to divide them`,
    );
  const databaseLocations = values.databaseUrl.map(parseLocation);
  const [databaseLocation = parseLocation("")] = databaseLocations;
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
    databaseLocations,
    provider,
    folders,
    foldersAskForCode: exposedBy({ ...values, publicUrl }).length > 0,
    allowed: {
      workspaces: values.allowedWorkspaces,
      emails: values.allowedEmails,
      anyone: !isLimited,
      sources: servedSources(provider, folders),
    },
  });
}

/** The sources that are served, by their slugs: the provider before folders, or the demo workspace alone (SIGN-7, SIGN-11). */
function servedSources(
  { isConnected, isDemo }: ProviderConfig,
  folders: readonly FolderConfig[],
): AllowList["sources"] {
  const { slug } = connectedProvider;
  return {
    ...(isDemo && { [demoSlug]: { people: demoSlug, isListed: true } }),
    ...(isConnected && { [slug]: { people: slug, isListed: true } }),
    ...Object.fromEntries(folders.map((folder) => [folder.slug, { people: folderPeople, isListed: false }])),
  };
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
function providerConfig(
  values: Values,
  folders: readonly FolderConfig[],
  addFault: AddFault,
): ProviderConfig {
  const { clientId, clientSecret, ...others } = providerValues(values);
  const { clientId: idName, clientSecret: secretName, token: tokenName } = providerSettings;
  if (others.token !== null && (clientId !== null || clientSecret !== null))
    addFault(tokenName, `cannot be combined with ${idName} and ${secretName}`);
  if (clientId !== null && clientSecret === null) addFault(secretName, `is missing, while ${idName} is set`);
  if (clientId === null && clientSecret !== null) addFault(idName, `is missing, while ${secretName} is set`);
  const app = clientId === null || clientSecret === null ? null : { clientId, clientSecret };
  const isConnected = app !== null || others.token !== null;
  return { ...others, app, isConnected, isDemo: !isConnected && folders.length === 0 };
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
  const isSampleAlone = !isLimited && isLoopback(values.publicUrl.hostname);
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
