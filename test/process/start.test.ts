import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { test } from "node:test";
import type { SignInStatus } from "@clew/contract";
import { call } from "../support/call.ts";
import type { Settings } from "../support/clew-process.ts";
import { shared } from "../support/shared.ts";
import { writeSmallWorkspace } from "../support/small-workspace.ts";
import { type Stage, stageOf } from "../support/stage.ts";

/** The output of a Clew that refuses to start. Fails if it starts or has another exit code. */
async function refusal(stage: Stage, settings: Settings, code = 2): Promise<string> {
  const clew = await stage.spawn(settings);
  await assert.rejects(clew.ready(), { name: "EndedEarly" }, "it started");
  assert.equal(await clew.ended, code);
  return clew.output();
}

/** The names of the invalid settings in the output. */
function faultsIn(output: string): string[] {
  return [...output.matchAll(/^ {2}- (\S+) /gm)].map(([, name = ""]) => name).sort();
}

/** A Clew that only answers. */
const startedClew = shared(async (stage) => stage.start({ WORKSPACE_DIR: await writeSmallWorkspace(stage) }));

test("OPS-2: a started Clew is alive and ready", async () => {
  const clew = await startedClew();
  for (const path of ["healthz", "readyz"]) {
    const { status, body } = await call(clew.url, path);
    assert.deepEqual({ status, body }, { status: 200, body: { status: "ok" } });
  }
});

test("OPS-1: Clew says in one line if it was started by root, and is silent about other users", async () => {
  const clew = await startedClew();
  const warnings = clew.output().match(/"msg":"Clew runs as root, [^"]+"/g) ?? [];
  assert.equal(warnings.length, process.geteuid?.() === 0 ? 1 : 0);
});

test("OPS-5: Clew refuses to start with invalid or unknown settings, and names all of them without their values", async (t) => {
  const secret = "secret-of-somebody";
  const settings = {
    CLEW_SECRET: secret,
    OAUTH_SECRET: secret,
    ALLOWED_EMAIL: secret,
    NOTION_CLIENT_SECRETS: secret,
    RATE_LIMIT_TOKENS: secret,
    SYNC_EVERY: secret,
    RATE_LIMIT_SESSION: secret,
    SYNC_INTERVAL: secret,
    LOG_LEVEL: secret,
    ENCRYPTION_KEY: Buffer.from(secret).toString("base64"),
    DATABASE_URL: `postgres://clew:${secret}@db/clew`,
  };
  const output = await refusal(await stageOf(t), settings);
  assert.deepEqual(faultsIn(output), Object.keys(settings).sort());
  assert(!output.includes(secret) && !output.includes(settings.ENCRYPTION_KEY), output);
});

test("OPS-5: a missing folder and a port in use are each reported in one line", async (t) => {
  const stage = await stageOf(t);
  const missing = await refusal(stage, { WORKSPACE_DIR: join(stage.folder, "nowhere") });
  assert.match(missing, /^ {2}- the folder nowhere is at \S+, which does not exist$/m);
  assert.doesNotMatch(missing, /^ +at /m);

  const { port } = await startedClew();
  const clew = await stage.spawn({ PORT: String(port), DATA_DIR: join(stage.folder, "other") });
  assert.equal(await clew.ended, 4);
  assert.match(clew.output(), new RegExp(`^Port ${port} on \\S+ is already in use[^\n.]*\\. [^\n]+$`, "m"));
  assert.doesNotMatch(clew.output(), /^ +at /m);
});

test("OPS-10: without a source, a Clew as in the image shows the sample on every address, and says so and what a source needs", async (t) => {
  const clew = await (await stageOf(t)).start({ HOST: "0.0.0.0", OPEN_SAMPLE: "1" });
  assert.match(clew.output(), /everyone who can reach this port can read the sample [^"]+NOTION_TOKEN/);
  const { body } = await call<SignInStatus>(clew.url, "api/integrations/auth/provider/status");
  assert.deepEqual([body.stand_in, body.workspaces], [true, null]);
});

test("SIGN-10: Clew refuses to start with a PUBLIC_URL that others can reach and no list of allowed people", async (t) => {
  const notion = { NOTION_CLIENT_ID: "some-client", NOTION_CLIENT_SECRET: "secret-of-somebody" };
  const output = await refusal(await stageOf(t), { PUBLIC_URL: "https://clew.example", ...notion });
  assert.deepEqual(faultsIn(output), ["PUBLIC_URL"]);
  assert.match(output, /ALLOWED_WORKSPACES or ALLOWED_EMAILS/);
  assert(!output.includes("secret-of-somebody"));
});

test("SIGN-11: the demo workspace does not serve this machine's files to others", async (t) => {
  const output = await refusal(await stageOf(t), { HOST: "0.0.0.0" });
  assert.deepEqual(faultsIn(output), ["HOST", "NOTION_CLIENT_ID"]);
});

test("SIGN-8: Clew refuses to start with another installation's key, and changes nothing", async (t) => {
  const stage = await stageOf(t);
  const key = randomBytes(32).toString("base64");
  const otherKey = randomBytes(32).toString("base64");
  const first = await stage.start({ ENCRYPTION_KEY: key });
  await first.terminate();
  const output = await refusal(stage, { ENCRYPTION_KEY: otherKey }, 3);
  assert.match(output, /encryption key is not the one/);
  assert(!output.includes(key) && !output.includes(otherKey));
  await stage.start({ ENCRYPTION_KEY: key });
});
