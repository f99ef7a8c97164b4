import assert from "node:assert/strict";
import { test } from "node:test";
import { commandSettings, settings } from "@clew/contract/settings";
import { readSettings } from "./read-settings.ts";
import { camelCase, formatValue, parseValue } from "./setting-values.ts";

test("OPS-5: every default is valid, and values are printed in the form in which they are read", () => {
  const { values, faults } = readSettings({ ...settings, ...commandSettings }, {});
  assert.deepEqual(faults, []);
  for (const [name, setting] of Object.entries(settings)) {
    const value = new Map<string, unknown>(Object.entries(values)).get(camelCase(name));
    assert.notEqual(value, undefined, name);
    if (value === null) assert.equal(setting.default, null, name);
    else if (setting.type !== "size" && setting.type !== "proxies")
      assert.deepEqual(parseValue(setting, formatValue(setting, value)), value, name);
  }
});
