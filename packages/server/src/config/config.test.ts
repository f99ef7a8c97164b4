import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { settings } from "@clew/contract/settings";
import { readConfig } from "./config.ts";
import { ConfigError } from "./read-settings.ts";
import { formatValue } from "./setting-values.ts";

/** The message with which `readConfig` refuses an environment. */
function refusal(env: Record<string, string>, files: Record<string, string> = {}): string {
  const readFile = (path: string) => {
    const content = files[path];
    if (content === undefined) throw new Error("no such file");
    return content;
  };
  try {
    readConfig(env, { readFile });
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.message;
  }
  return assert.fail("the environment was accepted");
}

test("OPS-1: without settings the stand-in serves on loopback", () => {
  const config = readConfig({});
  assert.equal(config.host, "127.0.0.1");
  assert.equal(config.port, 8420);
  assert.equal(config.publicUrl.href, "http://localhost:8420/");
  assert.equal(config.dashboardUrl.href, "http://localhost:8420/dashboard");
  assert.deepEqual(config.databaseLocation, { kind: "sqlite", path: resolve("data/clew.db") });
  assert.equal(config.provider.app, null);
  assert.equal(config.syncInterval, 60 * 60_000);
  assert.equal(config.withdrawnGrace, 7 * 86_400_000);
  assert.equal(config.provider.webhookToken, null);
  assert.equal(config.provider.webhookSetup, false);
  const { rateLimitToken, rateLimitSession, rateLimitSignIn, rateLimitFailedAuth, rateLimitOpen } = config;
  assert.deepEqual(
    [rateLimitToken, rateLimitSession, rateLimitSignIn, rateLimitFailedAuth, rateLimitOpen],
    [600, 600, 30, 60, 1200],
  );
  assert.ok(Object.isFrozen(config));
});

test("OPS-10: a package's launcher names the data folder for those who set none", () => {
  const packaged = { PACKAGED_DATA_DIR: "/home/somebody/.local/state/clew" };
  const { dataDir, databaseLocation } = readConfig(packaged);
  assert.equal(dataDir, packaged.PACKAGED_DATA_DIR);
  assert.deepEqual(databaseLocation, { kind: "sqlite", path: `${packaged.PACKAGED_DATA_DIR}/clew.db` });
  assert.equal(readConfig({ ...packaged, DATA_DIR: "/data" }).dataDir, "/data");
});

test("OPS-5: all invalid settings are listed together, without their values", () => {
  const message = refusal({
    PORT: "http",
    LOG_LEVEL: "loud",
    SYNC_INTERVAL: "soon",
    RATE_LIMIT_TOKEN: "-1",
    ENCRYPTION_KEY: "c2VjcmV0LXZhbHVl",
    DATABASE_URL: "postgres://clew:hunter2@db/clew",
  });
  for (const name of [
    "PORT",
    "LOG_LEVEL",
    "SYNC_INTERVAL",
    "RATE_LIMIT_TOKEN",
    "ENCRYPTION_KEY",
    "DATABASE_URL",
  ]) {
    assert.match(message, new RegExp(`- ${name} `));
  }
  assert.doesNotMatch(message, /c2VjcmV0LXZhbHVl|hunter2/);
});

test("OPS-5: an unknown setting with one of Clew's prefixes, or a misspelt one, is refused with the nearest known name", () => {
  for (const [name, nearest] of [
    ["CLEW_PORT", "PORT"],
    ["CLEW_ROLES", "CLEW_ROLE"],
    ["NOTION_CLIENT_SECRT", "NOTION_CLIENT_SECRET"],
    ["RATE_LIMIT_TOKENS", "RATE_LIMIT_TOKEN"],
    ["SYNC_INTERVALL", "SYNC_INTERVAL"],
    ["OAUTH_CLIENT_ID", "OAUTH_CLIENTS"],
    ["ALLOWED_EMAIL", "ALLOWED_EMAILS"],
    ["ALOWED_EMAILS", "ALLOWED_EMAILS"],
    ["ALLOW_EMAILS", "ALLOWED_EMAILS"],
    ["ALLOWED_WORKSPACE", "ALLOWED_WORKSPACES"],
    ["OPEN_SIGNIN", "OPEN_SIGN_IN"],
    ["ENCRYPTION_KEYS_FILE", "ENCRYPTION_KEY"],
    ["DATADIR", "DATA_DIR"],
    ["LOGLEVEL", "LOG_LEVEL"],
    ["PUBLIC_URI", "PUBLIC_URL"],
    ["TRUSTED_PROXY", "TRUST_PROXY"],
    ["BACKUP_RECIPIENT", "BACKUP_RECIPIENTS"],
  ] as const) {
    const message = new RegExp(`- ${name} is not a setting of Clew; the nearest is ${nearest}$`, "m");
    assert.match(refusal({ [name]: "1" }), message);
  }
});

test("OPS-8: a process has all roles, or those that CLEW_ROLE lists", () => {
  const notion = { NOTION_TOKEN: "ntn_x" };
  assert.deepEqual(readConfig({}).clewRole, ["serve", "sync", "index"]);
  assert.deepEqual(readConfig({ ...notion, CLEW_ROLE: " index,serve, serve" }).clewRole, ["serve", "index"]);
  for (const wrong of [",", "server", "serve sync", "serve,all"])
    assert.match(
      refusal({ ...notion, CLEW_ROLE: wrong }),
      /- CLEW_ROLE must be a list of serve, sync, index/,
    );
});

test("OPS-8, SIGN-11: the demo workspace is served and synced by one process", () => {
  for (const divided of ["serve", "sync", "sync,index"])
    assert.match(refusal({ CLEW_ROLE: divided }), /- CLEW_ROLE must have both serve and sync, or neither/);
  for (const whole of ["serve,sync", "index"]) assert.ok(readConfig({ CLEW_ROLE: whole }));
});

test("OPS-5: settings of client commands and of other programs are ignored", () => {
  const client = { CLEW_URL: "https://clew.example", CLEW_TOKEN: "svc_x", CLEW_TOKEN_FILE: "/run/token" };
  assert.ok(readConfig({ ...client, PATH: "/bin", npm_config_cache: "x" }));
});

test("OPS-5: usual variables of other programs are no misspelt settings", () => {
  const usual = `
    HOME HOST HOSTNAME HOSTTYPE HOSTALIASES HOSTFILE HOSTS PORT PORTS POST PATH PWD OLDPWD USER LOGNAME SHELL SHLVL MAIL LANG LANGUAGE
    LC_ALL TERM TERM_PROGRAM DISPLAY EDITOR VISUAL PAGER TMPDIR TEMP TZ HISTFILE HISTSIZE BASH_ENV PS1 COLUMNS LINES SSH_AUTH_SOCK
    SSH_CLIENT SSH_CONNECTION SUDO_USER XDG_DATA_DIRS XDG_DATA_HOME XDG_CONFIG_DIRS XDG_RUNTIME_DIR XDG_SESSION_ID DBUS_SESSION_BUS_ADDRESS
    DATA_DIRS_HOME DATA_HOME DATABASE_HOST DATABASE_PORT DATABASE_USER DATABASE_NAME DATABASE_PASSWORD TEST_DATABASE_URL REDIS_URL
    PGHOST PGPORT PGUSER PGPASSWORD PGDATABASE PGDATA PGSSLMODE POSTGRES_USER POSTGRES_PASSWORD POSTGRES_DB MYSQL_HOST
    NODE_ENV NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_COMPILE_CACHE NPM_TOKEN NVM_DIR npm_config_cache npm_package_name INIT_CWD
    NOTIFY_SOCKET INVOCATION_ID JOURNAL_STREAM SYSTEMD_EXEC_PID LISTEN_FDS LISTEN_PID MAINPID STATE_DIRECTORY LOGS_DIRECTORY
    RUNTIME_DIRECTORY CONFIGURATION_DIRECTORY CREDENTIALS_DIRECTORY CACHE_DIRECTORY
    KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT KUBERNETES_PORT KUBERNETES_PORT_443_TCP_ADDR POD_NAME POD_IP NODE_NAME
    HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy SSL_CERT_FILE SSL_CERT_DIR MALLOC_ARENA_MAX MALLOC_MMAP_THRESHOLD_ LD_PRELOAD
    CI GITHUB_ACTIONS GITHUB_WORKSPACE GITHUB_TOKEN RUNNER_TEMP RUNNER_WORKSPACE WORKSPACE BUILD_URL JOB_URL BASE_URL APP_URL SITE_URL
    PUBLIC_IP PUBLIC_KEY PUBLIC_DIR PUBLIC_HOST ROOT_URL DYNO FLY_APP_NAME RENDER_EXTERNAL_URL RAILWAY_STATIC_URL VIRTUAL_HOST VIRTUAL_PORT
    LETSENCRYPT_HOST LOG_DIR LOG_FILE LOG_FORMAT DEBUG DEBUG_LEVEL METRICS METRICS_URL ENCRYPTION SECRET_KEY SECRET_KEY_BASE API_URL
    API_TOKEN OAUTH2_PROXY_CLIENT_ID BACKUP_DIR BACKUP_URL STAND SIGN_IN WORKSPACE_NAME COLORTERM FORCE_COLOR NO_COLOR GPG_TTY`;
  const names = usual.trim().split(/\s+/);
  assert.ok(names.length > 150);
  const known = { HOST: "127.0.0.1", PORT: "8420" };
  assert.ok(readConfig({ ...Object.fromEntries(names.map((name) => [name, "x"])), ...known }));
});

test("OPS-5: a secret may come from a file, but not from both sources", () => {
  const env = { NOTION_CLIENT_ID: "id", NOTION_CLIENT_SECRET_FILE: "/run/secret" };
  const config = readConfig(env, { readFile: () => "from-a-file\n" });
  assert.equal(config.provider.app?.clientSecret, "from-a-file");
  assert.match(
    refusal({ ...env, NOTION_CLIENT_SECRET: "x" }, { "/run/secret": "y" }),
    /NOTION_CLIENT_SECRET is set twice/,
  );
  assert.match(refusal(env), /NOTION_CLIENT_SECRET_FILE names a file that does not exist/);
});

test("SYNC-9: the webhook key may come from a file, and its set-up must be turned on", () => {
  const env = {
    NOTION_WEBHOOK_TOKEN_FILE: "/data/webhook.key",
    NOTION_WEBHOOK_SETUP: "1",
    WITHDRAWN_GRACE: "12h",
  };
  const config = readConfig(env, { readFile: () => "secret_abc\n" });
  assert.deepEqual(
    [config.provider.webhookToken, config.provider.webhookSetup, config.withdrawnGrace],
    ["secret_abc", true, 12 * 3_600_000],
  );
  assert.match(refusal({ WITHDRAWN_GRACE: "a week" }), /- WITHDRAWN_GRACE /);
});

test("OPS-5: a quota is a size with a unit, or 0 for none", () => {
  assert.equal(readConfig({}).connectionQuota, 16 * 2 ** 30);
  assert.equal(readConfig({ CONNECTION_QUOTA: "500MiB" }).connectionQuota, 500 * 2 ** 20);
  assert.equal(readConfig({ CONNECTION_QUOTA: "2 TiB" }).connectionQuota, 2 * 2 ** 40);
  assert.equal(readConfig({ CONNECTION_QUOTA: "0" }).connectionQuota, 0);
  for (const value of ["much", "-1GiB", "5", "1.5GiB", "5GB"])
    assert.match(refusal({ CONNECTION_QUOTA: value }), /- CONNECTION_QUOTA must be a size/);
});

const notion = { NOTION_CLIENT_ID: "id", NOTION_CLIENT_SECRET: "secret" };

test("SIGN-10: off loopback the allow lists and https are required", () => {
  const open = { ...notion, PUBLIC_URL: "https://clew.example" };
  assert.match(refusal(open), /ALLOWED_WORKSPACES or ALLOWED_EMAILS, or OPEN_SIGN_IN/);
  assert.equal(readConfig({ ...open, OPEN_SIGN_IN: "1" }).allowed.anyone, true);
  const limited = readConfig({ ...open, ALLOWED_EMAILS: "Someone@Example.org, @example.com" }).allowed;
  assert.deepEqual(limited, {
    workspaces: [],
    emails: ["someone@example.org", "@example.com"],
    anyone: false,
  });
  assert.equal(readConfig({ ...open, ALLOWED_WORKSPACES: "w", OPEN_SIGN_IN: "1" }).allowed.anyone, false);
  assert.match(
    refusal({ ...notion, PUBLIC_URL: "http://clew.example", OPEN_SIGN_IN: "1" }),
    /PUBLIC_URL must be https/,
  );
});

test("SIGN-10: a HOST that others can reach counts as off loopback, whatever PUBLIC_URL says", () => {
  assert.match(
    refusal({ ...notion, HOST: "0.0.0.0" }),
    /- HOST is not loopback: set ALLOWED_WORKSPACES or ALLOWED_EMAILS, or OPEN_SIGN_IN=1/,
  );
  for (const said of [{ OPEN_SIGN_IN: "1" }, { ALLOWED_EMAILS: "@example.com" }, { HOST: "127.0.0.2" }]) {
    assert.ok(readConfig({ ...notion, HOST: "0.0.0.0", ...said }));
  }
});

test("SIGN-11: the stand-in needs loopback or STAND_IN=1, and an incomplete client credential is refused", () => {
  assert.match(refusal({ HOST: "0.0.0.0" }), /demo workspace is served only on loopback/);
  assert.equal(readConfig({ HOST: "0.0.0.0", STAND_IN: "1", OPEN_SIGN_IN: "1" }).provider.app, null);
  assert.match(refusal({ NOTION_CLIENT_ID: "id" }), /NOTION_CLIENT_SECRET is missing/);
  assert.match(refusal({ NOTION_CLIENT_SECRET: "s" }), /NOTION_CLIENT_ID is missing/);
});

test("OPS-10: OPEN_SAMPLE=1 opens the sample alone, and only while PUBLIC_URL is loopback", () => {
  const image = { HOST: "0.0.0.0", OPEN_SAMPLE: "1" };
  assert.equal(readConfig(image).provider.isDemo, true);
  for (const [more, fault] of [
    [{ WORKSPACE_DIR: "/notes" }, /- HOST is not loopback: set up Notion/],
    [{ PUBLIC_URL: "https://clew.example" }, /- PUBLIC_URL is not loopback: set up Notion/],
    [{ ALLOWED_EMAILS: "@example.org" }, /have no effect on the demo/],
    [{ NOTION_CLIENT_ID: "id" }, /NOTION_CLIENT_SECRET is missing/],
    // It opens no workspace: what is connected needs a list, as everywhere.
    [notion, /- HOST is not loopback: set ALLOWED_WORKSPACES or ALLOWED_EMAILS/],
    [{ NOTION_TOKEN: "ntn_1" }, /- HOST is not loopback: set ALLOWED_WORKSPACES or ALLOWED_EMAILS/],
  ] as const)
    assert.match(refusal({ ...image, ...more }), fault);
});

test("SIGN-11: allow lists are refused with a demo that others can reach", () => {
  const lists = [{ ALLOWED_EMAILS: "@example.org" }, { ALLOWED_WORKSPACES: "w" }];
  const reaches = [{ HOST: "0.0.0.0" }, { PUBLIC_URL: "https://clew.example" }];
  for (const reach of reaches) {
    const open = { ...reach, STAND_IN: "1", OPEN_SIGN_IN: "1" };
    assert.equal(readConfig(open).provider.app, null);
    for (const list of lists) assert.match(refusal({ ...open, ...list }), /have no effect on the demo/);
  }
  for (const list of lists) assert.equal(readConfig(list).provider.app, null);
});

test("OPS-5: PUBLIC_URL may have a path, with or without a trailing slash", () => {
  const config = readConfig({ PUBLIC_URL: "http://localhost:9000/clew/" });
  assert.equal(config.publicUrl.href, "http://localhost:9000/clew");
  assert.equal(config.dashboardUrl.href, "http://localhost:9000/clew/dashboard");
  assert.match(refusal({ PUBLIC_URL: "http://localhost/?a=1" }), /neither query nor fragment/);
});

test("OPS-5: TRUST_PROXY lists proxies, and anything else is refused with a clear message", () => {
  assert.deepEqual(readConfig({}).trustProxy, []);
  assert.deepEqual(readConfig({ TRUST_PROXY: "10.0.0.0/8,::1" }).trustProxy, ["10.0.0.0/8", "::1/128"]);
  for (const value of ["1", "banana"]) {
    const message = refusal({ TRUST_PROXY: value });
    assert.match(message, /- TRUST_PROXY must list addresses, CIDR ranges, loopback or private/);
  }
});

test("OPS-5: DASHBOARD_URL must be https on PUBLIC_URL's host, since a sign-in sends its tokens there", () => {
  const env = { ...notion, PUBLIC_URL: "https://clew.example", OPEN_SIGN_IN: "1" };
  const refused = (url: string) => refusal({ ...env, DASHBOARD_URL: url });
  assert.match(refused("https://evil.example/"), /- DASHBOARD_URL must be on PUBLIC_URL's host/);
  assert.match(refused("http://clew.example/"), /- DASHBOARD_URL must be https/);
  assert.match(
    refusal({ DASHBOARD_URL: "http://evil.example/" }),
    /- DASHBOARD_URL must be on PUBLIC_URL's host/,
  );
  for (const [publicUrl, dashboardUrl] of [
    ["https://clew.example", "https://clew.example:8443/app"],
    ["http://localhost:9000", "http://localhost:5173/"],
    ["http://localhost:9000", "http://127.0.0.1:5173/"],
  ] as const) {
    const config = readConfig({ ...env, PUBLIC_URL: publicUrl, DASHBOARD_URL: dashboardUrl });
    assert.equal(config.dashboardUrl.href, dashboardUrl);
  }
});

test("OPS-5: NOTION_API_URL is https unless it is loopback, since grants are sent there", () => {
  assert.match(
    refusal({ ...notion, NOTION_API_URL: "http://notion.example" }),
    /- NOTION_API_URL must be https unless it is loopback/,
  );
  for (const url of ["https://notion.example/", "http://127.0.0.1:9999/"]) {
    assert.equal(readConfig({ ...notion, NOTION_API_URL: url }).provider.apiUrl.href, url);
  }
});

test("OPS-5: retention is in days, a year for the audit trail and a month for the rest", () => {
  const { auditDays, databaseCopyDays, withdrawnDays } = readConfig({});
  assert.deepEqual([auditDays, databaseCopyDays, withdrawnDays], [365, 30, 30]);
  assert.match(refusal({ AUDIT_DAYS: "0" }), /- AUDIT_DAYS /);
});

test("OPS-8: a PostgreSQL database needs a key that all instances have", () => {
  const DATABASE_URL = "postgres://clew:hunter2@db/clew?sslmode=verify-full";
  assert.match(refusal({ DATABASE_URL }), /- ENCRYPTION_KEY .* same one/);
  const ENCRYPTION_KEY = Buffer.alloc(32, 1).toString("base64");
  const config = readConfig({ DATABASE_URL, ENCRYPTION_KEY });
  assert.deepEqual(config.databaseLocation, { kind: "postgres", url: DATABASE_URL });
});

test("OPS-5: the URL of a database is shown without its password", () => {
  const shown = formatValue(settings.DATABASE_URL, "postgres://clew:hunter2@db/clew?sslmode=disable");
  assert.equal(shown, "postgres://clew:…@db/clew?sslmode=disable");
  assert.equal(formatValue(settings.DATABASE_URL, "sqlite:/data/a:b@c.db"), "sqlite:/data/a:b@c.db");
  const several = ["postgres://clew:hunter2@db1/clew", "postgres://clew:a,b@db2/clew"];
  assert.equal(
    formatValue(settings.DATABASE_URL, several),
    "postgres://clew:…@db1/clew,postgres://clew:…@db2/clew",
  );
});

test("OPS-13: DATABASE_URL may list several databases on servers, each once", () => {
  const [one, two] = ["postgres://clew:a,b@127.0.0.1/one", "postgres://127.0.0.1:6432/two?pgbouncer=true"];
  const env = { ENCRYPTION_KEY: Buffer.alloc(32).toString("base64") };
  const config = readConfig({ ...env, DATABASE_URL: `${one}, ${two}` });
  assert.deepEqual(config.databaseLocations, [
    { kind: "postgres", url: one },
    { kind: "postgres", url: two },
  ]);
  assert.deepEqual(config.databaseLocation, { kind: "postgres", url: one });
  assert.match(
    refusal({ ...env, DATABASE_URL: `${one},${one}` }),
    /DATABASE_URL must not list a database twice/,
  );
  for (const list of [
    `sqlite:/data/clew.db,${one}`,
    `${one},sqlite:/data/clew.db`,
    `${one},`,
    `${one},postgres://`,
  ])
    assert.match(refusal({ ...env, DATABASE_URL: list }), /DATABASE_URL/, list);
});
