import assert from "node:assert/strict";
import { test } from "node:test";
import { mergeEnvFile } from "./env-file.ts";
import { ConfigError } from "./read-settings.ts";

const file = (text: string | null) => () => text;

test("OPS-5: .env adds settings, and the environment overrides it", () => {
  const text = '# a comment\nPORT=9000\nPUBLIC_URL="https://clew.example.org/"\nHOST=127.0.0.2\n';
  const { env, fromFile } = mergeEnvFile({ PORT: "9100" }, ".env", file(text));
  assert.deepEqual(env, { PORT: "9100", PUBLIC_URL: "https://clew.example.org/", HOST: "127.0.0.2" });
  assert.deepEqual(fromFile, new Set(["HOST", "PUBLIC_URL"]));
});

test("OPS-5: a secret in the environment overrides one in .env, as value or as file", () => {
  const byFile = mergeEnvFile(
    { ENCRYPTION_KEY_FILE: "/run/key" },
    ".env",
    file("ENCRYPTION_KEY=from-env-file"),
  );
  assert.deepEqual(byFile.env, { ENCRYPTION_KEY_FILE: "/run/key" });
  const byValue = mergeEnvFile({ ENCRYPTION_KEY: "key" }, ".env", file("ENCRYPTION_KEY_FILE=/elsewhere"));
  assert.deepEqual(byValue.env, { ENCRYPTION_KEY: "key" });
});

test("OPS-5: a missing .env is ignored, and an unreadable one is reported by name", () => {
  assert.deepEqual(mergeEnvFile({ PORT: "1" }, ".env", file(null)).env, { PORT: "1" });
  const unreadable = () => {
    throw new Error("EACCES: secret details");
  };
  assert.throws(
    () => mergeEnvFile({}, ".env", unreadable),
    (error) => {
      assert.ok(error instanceof ConfigError);
      assert.match(error.message, /\.env cannot be read$/);
      return true;
    },
  );
});
