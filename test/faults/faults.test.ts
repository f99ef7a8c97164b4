import { test } from "node:test";
import { share } from "@clew/stand-in/testing/share";
import { runScenario } from "./scenario.ts";

// A part of the campaign in `faults.campaign.ts`, on smaller workspaces.
const scenarios = [
  { seed: 1, kinds: ["truncated JSON"] },
  { seed: 2, kinds: ["lists lag", "500 on a page"] },
  { seed: 3, kinds: ["cursor expired", "400 on a page"] },
  { seed: 4, kinds: ["lists omit", "lists are stale", "clock off", "404 on a page"] },
  { seed: 5, kinds: ["withdrawn", "token expired", "latency", "429", "529", "502 with HTML"] },
  { seed: 6, kinds: ["malformed lists", "malformed texts"] },
  { seed: 7, kinds: ["malformed objects", "new types"] },
  { seed: 8, kinds: ["malformed properties", "answers {}", "lists omit"] },
] as const;

for (const { seed, kinds } of share("SYNC-5: faults of the provider", scenarios, 3))
  test(`SYNC-5: no report claims more than the graph has, with ${kinds.join(", ")} (seed ${seed})`, async () => {
    await runScenario(seed, kinds, 40);
  });
