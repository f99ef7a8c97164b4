import assert from "node:assert/strict";
import { test } from "node:test";
import type { SyncProgress } from "@clew/client";
import { describeSync } from "./wait-for-sync.ts";

const waiting: SyncProgress = {
  state: "waiting",
  phase: "titles",
  done: 0,
  total: null,
  started_at: null,
  finished_at: null,
  error: null,
  outcome: null,
  waiting_until: null,
  failed: [],
  failed_total: 0,
};

test("a sync waits for the provider until a time, and for memory without one", () => {
  const limited = { ...waiting, waiting_until: "2026-01-01T00:00:00Z" };
  assert.equal(describeSync(limited), "waiting for the provider's rate limit");
  assert.equal(describeSync(waiting), "waiting for memory");
});
