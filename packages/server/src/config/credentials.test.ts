import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "./config.ts";
import { addCredentials } from "./credentials.ts";
import { ConfigError } from "./read-settings.ts";

const folder = "/run/credentials/clew.service";

const files =
  (...names: string[]) =>
  () =>
    names;

test("OPS-10: a credential of systemd sets the setting that it is named after", () => {
  const env = addCredentials(
    { CREDENTIALS_DIRECTORY: folder, PORT: "9000" },
    files("clew_ENCRYPTION_KEY", "other"),
  );
  assert.deepEqual(env, {
    CREDENTIALS_DIRECTORY: folder,
    PORT: "9000",
    ENCRYPTION_KEY_FILE: `${folder}/clew_ENCRYPTION_KEY`,
  });
});

test("OPS-10: NAME_FILE overrides a credential, and NAME beside one is refused", () => {
  const list = files("clew_ENCRYPTION_KEY");
  const byFile = addCredentials({ CREDENTIALS_DIRECTORY: folder, ENCRYPTION_KEY_FILE: "/key" }, list);
  assert.equal(byFile.ENCRYPTION_KEY_FILE, "/key");
  const twice = addCredentials({ CREDENTIALS_DIRECTORY: folder, ENCRYPTION_KEY: "key" }, list);
  assert.throws(() => readConfig(twice), /ENCRYPTION_KEY is set twice: also as ENCRYPTION_KEY_FILE/);
});

test("OPS-10: a credential that is not a setting is named", () => {
  const env = addCredentials({ CREDENTIALS_DIRECTORY: folder }, files("clew_NOTION_TOKN"));
  assert.throws(
    () => readConfig(env),
    /NOTION_TOKN_FILE is not a setting of Clew; the nearest is NOTION_TOKEN/,
  );
});

test("OPS-10: without credentials the environment stays as it is, and an unreadable folder is named", () => {
  assert.deepEqual(addCredentials({ PORT: "1" }, files("clew_HOST")), { PORT: "1" });
  const unreadable = () => {
    throw new Error("EACCES: secret details");
  };
  assert.throws(
    () => addCredentials({ CREDENTIALS_DIRECTORY: folder }, unreadable),
    (error) => {
      assert.ok(error instanceof ConfigError);
      assert.match(error.message, /CREDENTIALS_DIRECTORY names the folder \S+, which cannot be read$/);
      return true;
    },
  );
});
