import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { openDatabase } from "../database.ts";
import type { Database } from "../port.ts";
import { testSwitches } from "../wrappers/assemble.ts";
import { newLocation, onPostgres } from "./location.ts";

/** Why a test of what two connections do at the same time is skipped; false if it is not. */
export const needsServer = {
  skip: !onPostgres && "SQLite runs one transaction at a time: nothing can come between",
};

/** Two acts that read and then write the same rows. */
export interface Race<Stage> {
  /** Prepares rows that no earlier stage has, on the database as two instances have it opened. */
  readonly stage: (one: Database, other: Database) => Promise<Stage>;
  readonly acts: readonly [(stage: Stage) => Promise<unknown>, (stage: Stage) => Promise<unknown>];
  /** Throws an `AssertionError` if what there is now is not what one act after the other leaves. */
  readonly verify: (stage: Stage, results: readonly PromiseSettledResult<unknown>[]) => Promise<void>;
  /** The safeguard on which the outcome depends; serializable transactions if left out. */
  readonly needs?: Safeguard;
}

/** A safeguard that a test takes away to show that it would notice. */
type Safeguard = "serializable" | "row locks";

/** Statements as they are without a safeguard. */
const without: Readonly<Record<Safeguard, (statement: string) => string>> = {
  serializable: (statement) =>
    statement.replace("isolation level serializable", "isolation level read committed"),
  "row locks": (statement) => statement.replace(/ for share$/, ""),
};

/** The act to which queries belong. */
interface Act {
  /** Statements that it has sent, its commit included. */
  statements: number;
  /** Called before each statement with the number of those before it. */
  readonly before: (statements: number) => Promise<void>;
}

/**
 * Runs the second act between every two statements of the first one, and the other way round. Then does it again without
 * the safeguard. The race must then be lost somewhere: otherwise the test would prove nothing.
 */
export async function testRace<Stage>(t: TestContext, race: Race<Stage>): Promise<void> {
  // A second run of the work would read again, and hide what came between.
  const { repeatTransactions } = testSwitches;
  testSwitches.repeatTransactions = false;
  // Other test files of the process depend on it.
  t.after(() => {
    testSwitches.repeatTransactions = repeatTransactions;
  });
  const { location, url, remove } = await newLocation();
  const observer = new pg.Client({ connectionString: url });
  await observer.connect();
  const instances = await Promise.all([openDatabase({ location }), openDatabase({ location })]);
  t.after(async () => {
    await Promise.all([observer.end(), ...instances.map((instance) => instance.close())]);
    await remove();
  });
  const queries = interceptQueries(t);

  const explore = async (missing: Safeguard | null) => {
    queries.missing = missing;
    for (const order of [[0, 1] as const, [1, 0] as const]) {
      for (let point = 0; ; point += 1) {
        const stage = await race.stage(...instances);
        const { results, wasReached } = await runAt(race, stage, order, { point, observer, queries });
        if (!wasReached) break;
        await race.verify(stage, order[0] === 0 ? results : results.toReversed());
      }
    }
  };
  await explore(null);
  await assert.rejects(explore(race.needs ?? "serializable"), assert.AssertionError);
}

interface Moment {
  readonly point: number;
  readonly observer: pg.Client;
  readonly queries: Queries;
}

/** Runs an act, and the other one before the statement of the first that has the number `point`. */
async function runAt<Stage>(
  { acts }: Race<Stage>,
  stage: Stage,
  [first, second]: readonly [0 | 1, 0 | 1],
  { point, observer, queries }: Moment,
): Promise<{ readonly results: PromiseSettledResult<unknown>[]; readonly wasReached: boolean }> {
  let between: Promise<unknown> | null = null;
  const act: Act = {
    statements: 0,
    async before(statements) {
      if (statements !== point || between !== null) return;
      between = queries.outside(() => acts[second](stage));
      await endOrLock(between, observer);
    },
  };
  const [result] = await Promise.allSettled([queries.during(act, () => acts[first](stage))]);
  const results = [result, ...(await Promise.allSettled([between]))];
  return { results, wasReached: between !== null };
}

/** Waits until the act has ended, or cannot continue before the other one has. */
async function endOrLock(act: Promise<unknown>, observer: pg.Client): Promise<void> {
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
  };
  void act.then(end, end);
  while (!hasEnded) {
    const { rowCount } = await observer.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    if (rowCount !== 0) return;
    await sleep(1);
  }
}

type Queries = ReturnType<typeof interceptQueries>;

/** Stops the queries of an act where it says, and changes all statements to those without a safeguard. */
function interceptQueries(t: TestContext) {
  const acts = new AsyncLocalStorage<Act>();
  const { query } = pg.Client.prototype;
  const queries = {
    missing: null as Safeguard | null,
    during: <T>(act: Act, work: () => Promise<T>) => acts.run(act, work),
    outside: <T>(work: () => Promise<T>) => acts.exit(work),
  };
  t.mock.method(
    pg.Client.prototype,
    "query",
    async function (this: pg.Client, asked: string | pg.QueryConfig) {
      const act = acts.getStore();
      const text = typeof asked === "string" ? asked : asked.text;
      if (act !== undefined && !text.startsWith("begin")) {
        act.statements += 1;
        await act.before(act.statements - 1);
      }
      const sent = queries.missing === null ? text : without[queries.missing](text);
      // Without a name: a connection that has prepared the statement would run it as it was.
      const { name: _, ...unnamed } = typeof asked === "string" ? {} : asked;
      return Reflect.apply(query, this, [sent === text ? asked : { ...unnamed, text: sent }]);
    },
  );
  return queries;
}
