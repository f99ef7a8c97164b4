import { test } from "node:test";
import { runSeed } from "@clew/stand-in/testing/share";
import { newLocation, onPostgres } from "../../packages/server/src/store/testing/location.ts";
import { compareAnswers } from "./scenario.ts";

const needsServer = { skip: !onPostgres && "it compares PostgreSQL with SQLite" };

// A part of the campaign in `equal-answers.campaign.ts`.
test("OPS-8: PostgreSQL and SQLite answer alike", needsServer, async (t) => {
  const { url, remove } = await newLocation({ isEmpty: true });
  t.after(remove);
  const seed = runSeed % 1_000_000;
  t.diagnostic(`seed ${seed}`);
  t.diagnostic(`${await compareAnswers(seed, url)} answers`);
});
