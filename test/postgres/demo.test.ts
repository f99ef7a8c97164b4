import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { ConfigError } from "../../packages/server/src/config/read-settings.ts";
import { startRunning } from "../support/running-clew.ts";

test("OPS-8: the demo workspace is not served from PostgreSQL, unless STAND_IN says so", async () => {
  const env = {
    // Nothing listens there: the settings alone decide.
    DATABASE_URL: "postgres://clew@127.0.0.1:9/clew?sslmode=disable",
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
  };
  await assert.rejects(startRunning({ env: { ...env, STAND_IN: "0" } }), (error) => {
    assert.ok(error instanceof ConfigError);
    assert.match(
      error.message,
      /- DATABASE_URL .* each DATA_DIR: connect Notion or a folder, or, .* STAND_IN=1/,
    );
    return true;
  });
  await assert.rejects(startRunning({ env: { ...env, STAND_IN: "1" } }), { code: "unreachable" });
});
