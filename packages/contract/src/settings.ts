/** A kind of value, and its notation. */
type Kind =
  | {
      readonly type:
        | "text"
        | "token"
        | "path"
        | "url"
        | "list"
        | "emails"
        | "proxies"
        | "clients"
        | "database"
        | "databases"
        /** `NAME=PATH`, and more after commas. */
        | "folders"
        | "key";
    }
  /** `1` or `0`; `90s`, `15m`, `2h`, `7d` or `0`; `500MiB`, `16GiB` or `0`. */
  | { readonly type: "flag" | "duration" | "size" }
  /** `AGE-SECRET-KEY-1…`, in a file as age-keygen writes it. */
  | { readonly type: "age-identity" }
  | { readonly type: "integer"; readonly min: number; readonly max: number }
  | { readonly type: "word"; readonly words: readonly string[] }
  /** Some of the words, as a list; at least one. */
  | { readonly type: "words"; readonly words: readonly string[] };

/** A setting, read from the environment variable of its name. */
export type Setting = Kind & {
  /** The default as written in the environment; `{NAME}` is the value of a setting above. Null without a default. */
  readonly default: string | null;
  /** The variable in which a package's launcher names another default. */
  readonly packagedDefault?: string;
  /** Describes the effect of leaving the setting out, if it has no default. */
  readonly otherwise?: string;
  readonly secret?: true;
  /** For operators, as Markdown. */
  readonly help: string;
};

const days = (number: string) => ({ type: "integer", min: 1, max: 36_500, default: number }) as const;

const limit = (requests: string) => ({ type: "integer", min: 0, max: 1_000_000, default: requests }) as const;

/** The roles that a process can have. */
export const roles = ["serve", "sync", "index"] as const;

export type Role = (typeof roles)[number];

/** Every setting of the server: the one source of its parser, of `clew config` and of the table in docs/operations.md. */
export const settings = {
  HOST: { type: "text", default: "127.0.0.1", help: "the address that Clew listens on" },
  PORT: { type: "integer", min: 0, max: 65_535, default: "8420", help: "the port that Clew listens on" },
  PUBLIC_URL: {
    type: "url",
    default: "http://localhost:{PORT}",
    help: "the URL at which browsers reach Clew; https unless it is loopback; Clew serves below its path if it has one",
  },
  DASHBOARD_URL: {
    type: "url",
    default: "{PUBLIC_URL}/dashboard",
    help: "where a sign-in hands over its tokens; on PUBLIC_URL's host, whose cookie the page must be able to read; https unless it is loopback",
  },
  DATA_DIR: {
    type: "path",
    default: "./data",
    packagedDefault: "PACKAGED_DATA_DIR",
    help: "the folder of the database and the key file; the npm package's default is `$XDG_STATE_HOME/clew`",
  },
  DATABASE_URL: {
    type: "databases",
    default: "sqlite:{DATA_DIR}/clew.db",
    help: "the database, as `sqlite:PATH` or `postgres://…`, see [PostgreSQL](#postgresql); or several, separated by commas, see [Buckets](scaling.md#buckets)",
  },
  NOTION_CLIENT_ID: {
    type: "text",
    default: null,
    help: "the client id of the OAuth app at Notion; without an app, a token or a folder Clew serves the demo workspace",
  },
  NOTION_CLIENT_SECRET: {
    type: "text",
    default: null,
    secret: true,
    help: "the client secret of the OAuth app at Notion",
  },
  NOTION_TOKEN: {
    type: "token",
    default: null,
    secret: true,
    help: "one person's token instead of an OAuth app, see [One workspace: a token](notion.md#one-workspace-a-token); not together with the two above",
  },
  NOTION_API_URL: {
    type: "url",
    default: "https://api.notion.com",
    help: "the provider's API; https unless it is loopback",
  },
  NOTION_WEBHOOK_TOKEN: {
    type: "text",
    default: null,
    secret: true,
    help: "the key that signs the provider's webhooks; without it they are refused",
  },
  NOTION_WEBHOOK_SETUP: {
    type: "flag",
    default: "0",
    help: "`1` accepts that key from the provider, see [Webhooks](notion.md#webhooks)",
  },
  FOLDERS: {
    type: "folders",
    default: "",
    help: "folders of Markdown that Clew serves as sources, as `name=path`, separated by commas, see [Folders](folders.md); `clew serve PATH` adds one. A name has lower-case letters, digits and dashes",
  },
  WORKSPACE_DIR: {
    type: "path",
    default: null,
    help: "one such folder, which is named after the last part of its path",
  },
  STAND_IN: {
    type: "flag",
    default: "0",
    help: "`1` serves the demo workspace to other machines too, see [The demo workspace](#the-demo-workspace)",
  },
  OPEN_SAMPLE: {
    type: "flag",
    default: "0",
    help: "`1` shows the sample that comes with Clew to other machines, as the container image does, as long as no source is set up and PUBLIC_URL is loopback",
  },
  ALLOWED_WORKSPACES: {
    type: "list",
    default: "",
    help: "ids of the workspaces at Notion that may be used; people with one of them may sign in",
  },
  ALLOWED_EMAILS: {
    type: "emails",
    default: "",
    help: "addresses or `@domain`s that may sign in, with all of their workspaces; either list is enough",
  },
  OPEN_SIGN_IN: {
    type: "flag",
    default: "0",
    help: "`1` lets everyone sign in whom Notion identifies; this or a list is needed there unless HOST and PUBLIC_URL are loopback",
  },
  ENCRYPTION_KEY: {
    type: "key",
    default: null,
    otherwise: "the key file in {DATA_DIR}",
    secret: true,
    help: "32 bytes in base64 (`openssl rand -base64 32`)",
  },
  OAUTH_CLIENTS: {
    type: "clients",
    default: "open",
    help: "which programs may connect by URL, see [Connected apps](#connected-apps): `open` for all, a list of hosts, or `off`",
  },
  SYNC_INTERVAL: {
    type: "duration",
    default: "1h",
    help: "the time between two whole listings of a workspace; edits in between show within 90 seconds, see [how soon changes show](#how-soon-changes-show). `0` syncs only on demand",
  },
  WITHDRAWN_GRACE: {
    type: "duration",
    default: "7d",
    help: "how long a graph stays readable after its grant was withdrawn; it is deleted after WITHDRAWN_DAYS in any case",
  },
  WITHDRAWN_DAYS: {
    ...days("30"),
    help: "days after which a connection is removed, with its graph, whose grant was withdrawn and not renewed",
  },
  AUDIT_DAYS: { ...days("365"), help: "days for which the audit trails of all people keep an event" },
  ACTIVITY_DAYS: {
    type: "integer",
    min: 0,
    max: 90,
    default: "30",
    help: "days for which Clew keeps what service tokens read, for their owners; `0` keeps nothing, see [What a token read](#what-a-token-read)",
  },
  DATABASE_COPY_DAYS: {
    ...days("30"),
    help: "days for which copies of the embedded database are kept that a migration or `restore` made beside it",
  },
  CONNECTION_QUOTA: {
    type: "size",
    default: "16GiB",
    help: "what one connection may store, about as much as it takes on the disk; a sync that reaches it is incomplete and says so; `0` is off",
  },
  RATE_LIMIT_TOKEN: { ...limit("600"), help: "requests a minute per service token; `0` is off" },
  RATE_LIMIT_SESSION: { ...limit("600"), help: "requests a minute per session; `0` is off" },
  RATE_LIMIT_SIGN_IN: { ...limit("30"), help: "sign-ins a minute per address; `0` is off" },
  RATE_LIMIT_FAILED_AUTH: { ...limit("60"), help: "failed authentications a minute per address; `0` is off" },
  RATE_LIMIT_OPEN: {
    ...limit("1200"),
    help: "requests a minute per address of routes that need no credentials; `0` is off",
  },
  CLEW_ROLE: {
    type: "words",
    words: roles,
    default: roles.join(","),
    help: "what this process does, as a list: `serve` answers requests, `sync` runs syncs, `index` indexes texts; see [Roles](#roles)",
  },
  TRUST_PROXY: {
    type: "proxies",
    default: "off",
    help: "whose `X-Forwarded-*` headers to believe, see [Behind a proxy](#behind-a-proxy)",
  },
  METRICS_PORT: {
    type: "integer",
    min: 1,
    max: 65_535,
    default: null,
    help: "the port of `/metrics`, on HOST; do not expose it to the public",
  },
  LOG_LEVEL: {
    type: "word",
    words: ["fatal", "error", "warn", "info", "debug", "trace", "silent"],
    default: "info",
    help: "`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`; the log is JSON lines, and readable on a terminal",
  },
} as const satisfies Record<string, Setting>;

/** Settings that only single commands read. */
export const commandSettings = {
  BACKUP_RECIPIENTS: {
    type: "list",
    default: "",
    help: "recipients of age (`age1…`) that `backup --encrypt` encrypts for",
  },
  BACKUP_IDENTITY: {
    type: "age-identity",
    default: null,
    secret: true,
    help: "the identity of age (`AGE-SECRET-KEY-1…`) that `restore` and `verify` decrypt with",
  },
  BACKUP_PASSPHRASE: {
    type: "text",
    default: null,
    secret: true,
    help: "a passphrase instead of recipients and identity",
  },
  NEW_ENCRYPTION_KEY: {
    type: "key",
    default: null,
    otherwise: "a new key file, where a file holds the old key",
    secret: true,
    help: "the key that `keys rotate --encryption` changes to, 32 bytes in base64",
  },
  NEW_DATABASE_URL: {
    type: "database",
    default: null,
    secret: true,
    help: "the empty PostgreSQL database that `move` fills, without `--to`",
  },
} as const satisfies Record<string, Setting>;

/** The provider that a workspace is connected at, and its settings by what they are for. All else knows them by this table. */
export const connectedProvider = {
  slug: "notion",
  name: "Notion",
  settings: {
    clientId: "NOTION_CLIENT_ID",
    clientSecret: "NOTION_CLIENT_SECRET",
    token: "NOTION_TOKEN",
    apiUrl: "NOTION_API_URL",
    webhookToken: "NOTION_WEBHOOK_TOKEN",
    webhookSetup: "NOTION_WEBHOOK_SETUP",
  },
} as const satisfies {
  slug: string;
  name: string;
  settings: Readonly<Record<string, keyof typeof settings>>;
};

/** Names that begin with one of these are Clew's own: an unknown one is treated as a misspelt setting (OPS-5). */
export const settingPrefixes: readonly string[] = ["CLEW_", "NOTION_", "RATE_LIMIT_", "SYNC_", "OAUTH_"];

/** Variables with such a prefix that only clients of Clew read. The server ignores them. */
export const clientVariables: readonly string[] = ["CLEW_URL", "CLEW_TOKEN", "CLEW_TOKEN_FILE"];
