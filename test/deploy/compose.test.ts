import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { parse } from "yaml";
import { readConfig } from "../../packages/server/src/config/config.ts";
import { environment } from "../../packaging/image/image.ts";
import { find, proxyPrograms } from "./proxies.ts";

/* The samples for docker compose and podman-compose. No container engine runs here: what can be checked without one is. */

const folder = join(import.meta.dirname, "../../deploy/compose");

interface Service {
  readonly image: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly mem_limit?: string;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly ports?: readonly string[];
}

interface Sample {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

/** The variables of `.env.example`, those that it leaves empty filled in. */
const variables = Object.fromEntries(
  [...readFileSync(join(folder, ".env.example"), "utf8").matchAll(/^(\w+)=(.*)$/gm)].map(
    ([, name, value]) => [name ?? "", value || "filled-in"],
  ),
);

/** Fills in variables as compose does, and throws if one has no value. */
const interpolate = (text: string) =>
  text.replaceAll(/\$\{(\w+)(?::\?[^}]*)?\}/g, (_, name: string) => {
    const value = variables[name];
    if (value === undefined) throw new Error(`.env.example does not have ${name}`);
    return value;
  });

const samples = globSync("*.yaml", { cwd: folder }).map((name) => {
  const text = readFileSync(join(folder, name), "utf8");
  const filledIn = (_: unknown, value: unknown) => (typeof value === "string" ? interpolate(value) : value);
  return { name, sample: parse(text, filledIn, { merge: true }) as Sample };
});

/** Contents for the secrets of the samples, as docs/install.md has them made. */
const contents: Readonly<Record<string, string>> = {
  "notion-client-secret": "secret",
  "database-url": "postgres://clew:0123456789abcdef@database/clew?sslmode=disable",
  "database-password": "0123456789abcdef",
  "encryption-key": Buffer.alloc(32, 1).toString("base64"),
};

test("OPS-10: Clew takes the settings of each sample, with the secrets that its container has", () => {
  let checked = 0;
  for (const { name, sample } of samples) {
    for (const [service, { environment: given, secrets = [], healthcheck }] of Object.entries(
      sample.services,
    )) {
      if (!service.startsWith("clew")) continue;
      const readFile = (path: string) => {
        const secret = basename(path);
        assert.equal(path, `/run/secrets/${secret}`);
        assert(
          secrets.includes(secret) && secret in sample.secrets,
          `${name}, ${service}: ${secret} is not mounted`,
        );
        return contents[secret] ?? "";
      };
      const config = readConfig({ ...environment, ...given }, { readFile });
      assert.equal(config.provider.isDemo, false, `${name}, ${service}`);
      assert.equal(config.allowed.anyone, false, `${name}, ${service}`);
      assert.deepEqual(healthcheck?.test, ["CMD", "/usr/bin/clew", "health"]);
      checked += 1;
    }
  }
  assert.equal(checked, 3);
});

test("OPS-10: no container of a sample has more rights than it needs, and only the proxy can be reached", () => {
  for (const { name, sample } of samples) {
    for (const [service, settings] of Object.entries(sample.services)) {
      const what = `${name}, ${service}`;
      assert.equal(settings.read_only, true, what);
      assert.deepEqual(settings.cap_drop, ["ALL"], what);
      assert.deepEqual(settings.security_opt, ["no-new-privileges:true"], what);
      assert(settings.mem_limit, what);
      assert.deepEqual(settings.cap_add, service === "caddy" ? ["NET_BIND_SERVICE"] : undefined, what);
      assert.equal(settings.ports === undefined, service !== "caddy", what);
      // Root would be an exception: Caddy, without any capability but one.
      assert.equal(settings.user === undefined, service === "caddy", what);
      // A version, never a tag that moves.
      assert.match(settings.image, /:\d+\.\d+(\.\d+)?(@sha256:[0-9a-f]{64})?$/, what);
    }
  }
});

test("OPS-10: the samples name the image of this version", () => {
  const { version } = JSON.parse(readFileSync(join(folder, "../../package.json"), "utf8"));
  assert.equal(variables.CLEW_IMAGE?.replace(/@sha256:.+/, ""), `clew:${version}`);
});

const caddy = proxyPrograms.find(({ name }) => name === "Caddy")?.executable ?? null;
const install = (name: string) => `${name} is not installed: install the package ${name}`;

test("OPS-10: Caddy accepts the settings of each sample, and leads to all instances of it", {
  skip: caddy === null && install("caddy"),
}, () => {
  for (const { name, sample } of samples) {
    const { caddy: service, ...others } = sample.services;
    assert(caddy !== null && service !== undefined);
    const config = join(folder, "../caddy/Caddyfile");
    const args = ["adapt", "--adapter", "caddyfile", "--config", config, "--validate"];
    const env = { ...service.environment, HOME: "/nonexistent" };
    const { status, stdout, stderr } = spawnSync(caddy, args, { env, encoding: "utf8" });
    assert.equal(status, 0, stderr);
    const dialed = [...stdout.matchAll(/"dial":"([^"]+)"/g)].map(([, address = ""]) => address);
    const instances = Object.keys(others).filter((each) => each.startsWith("clew"));
    assert.deepEqual(new Set(dialed), new Set(instances.map((each) => `${each}:8420`)), name);
  }
});

const compose = find("docker-compose");

test("OPS-10: docker-compose accepts each sample", {
  skip: compose === null && install("docker-compose"),
}, () => {
  for (const { name } of samples) {
    assert(compose !== null);
    const env = { PATH: process.env.PATH, ...variables };
    const { status, stderr } = spawnSync(compose, ["--file", name, "config", "--quiet"], {
      cwd: folder,
      env,
      encoding: "utf8",
    });
    assert.equal(status, 0, `${name}: ${stderr}`);
  }
});
