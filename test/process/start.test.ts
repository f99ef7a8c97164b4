import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { test } from "node:test";
import { call } from "../support/call.ts";
import type { Settings } from "../support/clew-process.ts";
import { type Stage, stageOf } from "../support/stage.ts";

/** What a Clew writes that refuses to start. Fails where it starts, or ends other than by a plain refusal. */
async function refusal(stage: Stage, settings: Settings): Promise<string> {
  const clew = await stage.spawn(settings);
  await assert.rejects(clew.ready(), { name: "EndedEarly" }, "it started");
  assert.equal(await clew.ended, 1);
  return clew.output();
}

/** The names of the settings that a refusal lists as faulty. */
function faultsIn(output: string): string[] {
  return [...output.matchAll(/^ {2}- (\S+) /gm)].map(([, name = ""]) => name).sort();
}

test("OPS-2: a started Clew lives and is ready", async (t) => {
  const clew = await (await stageOf(t)).start();
  for (const path of ["healthz", "readyz"]) {
    const { status, body } = await call(clew.url, path);
    assert.deepEqual({ status, body }, { status: 200, body: { status: "ok" } });
  }
});

test("OPS-5: wrong and unknown settings refuse to start and are all named, without their values", async (t) => {
  const secret = "secret-of-somebody";
  const settings = {
    CLEW_SECRET: secret,
    NOTION_CLIENT_SECRETS: secret,
    RATE_LIMIT_TOKENS: secret,
    SYNC_EVERY: secret,
    RATE_LIMIT_SESSION: secret,
    SYNC_INTERVAL: secret,
    LOG_LEVEL: secret,
    ENCRYPTION_KEY: Buffer.from(secret).toString("base64"),
    DATABASE_URL: `postgres://clew:${secret}@localhost/clew`,
  };
  const output = await refusal(await stageOf(t), settings);
  assert.deepEqual(faultsIn(output), Object.keys(settings).sort());
  assert(!output.includes(secret) && !output.includes(settings.ENCRYPTION_KEY), output);
});

test("OPS-5: a folder that is not there, and a port that is in use, are named in one line", async (t) => {
  const stage = await stageOf(t);
  const missing = await refusal(stage, { WORKSPACE_DIR: join(stage.folder, "nowhere") });
  assert.deepEqual(faultsIn(missing), ["WORKSPACE_DIR"]);
  assert.doesNotMatch(missing, /^ +at /m);

  const { port } = await stage.start();
  const clew = await stage.spawn({ PORT: String(port), DATA_DIR: join(stage.folder, "other") });
  assert.equal(await clew.ended, 1);
  assert.match(clew.output(), new RegExp(`^Port ${port} on \\S+ is already in use\\. [^\n]+$`, "m"));
  assert.doesNotMatch(clew.output(), /^ +at /m);
});

test("SIGN-10: a PUBLIC_URL that others can reach, without a list of allowed people, refuses to start", async (t) => {
  const notion = { NOTION_CLIENT_ID: "some-client", NOTION_CLIENT_SECRET: "secret-of-somebody" };
  const output = await refusal(await stageOf(t), { PUBLIC_URL: "https://clew.example", ...notion });
  assert.deepEqual(faultsIn(output), ["PUBLIC_URL"]);
  assert.match(output, /ALLOWED_WORKSPACES or ALLOWED_EMAILS/);
  assert(!output.includes("secret-of-somebody"));
});

test("SIGN-11: the demo workspace does not open this machine's files to others", async (t) => {
  const output = await refusal(await stageOf(t), { HOST: "0.0.0.0" });
  assert.deepEqual(faultsIn(output), ["HOST", "NOTION_CLIENT_ID"]);
});

test("SIGN-8: a key that is not this installation's refuses to start, and changes nothing", async (t) => {
  const stage = await stageOf(t);
  const key = randomBytes(32).toString("base64");
  const otherKey = randomBytes(32).toString("base64");
  const first = await stage.start({ ENCRYPTION_KEY: key });
  await first.terminate();
  const output = await refusal(stage, { ENCRYPTION_KEY: otherKey });
  assert.match(output, /encryption key is not the one/);
  assert(!output.includes(key) && !output.includes(otherKey));
  await stage.start({ ENCRYPTION_KEY: key });
});
