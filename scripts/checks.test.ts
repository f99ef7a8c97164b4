import assert from "node:assert/strict";
import { test } from "node:test";
import { checks } from "./checks.ts";

// As tests they run beside the others. `npm run check` runs them alone.
for (const { name, run } of checks)
  test(`the source passes the check of ${name}`, () => assert.equal(run(), null));
