import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { sql } from "kysely";
import pg from "pg";
import type { Database } from "../port.ts";
import { connectTo, onPostgres } from "./location.ts";
import { recordStatements } from "./record-statements.ts";

/*
 * A planner decides by what it knows of the tables, and PostgreSQL examines them by itself at any time. A test of a plan therefore
 * fixes what the planner knows: in tables that only the test examines (`ownStatistics`), or in the transaction that plans
 * (`indexPlans`).
 */

/** A statement with its values. */
interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** A node of a plan, as PostgreSQL's `explain` shows it. */
interface PlanNode {
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly PlanNode[];
}

/** How PostgreSQL plans a prepared statement: for its values, or for any. */
export const planKinds = ["custom", "generic"] as const;
export type PlanKind = (typeof planKinds)[number];

/** A plan that PostgreSQL has run. */
interface RunPlan {
  readonly text: string;
  /** Rows of tables that it read. */
  readonly rows: number;
}

/** Ends the examinations that PostgreSQL makes by itself: the planner then knows what the test's own `analyze` finds, and no more. */
export async function ownStatistics(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "select format('%I', tablename) as name from pg_tables where schemaname = 'public'",
  );
  for (const { name } of rows) await client.query(`alter table ${name} set (autovacuum_enabled = off)`);
}

/** The statements of `work` that read or update one of `tables`, on PostgreSQL. */
export async function statementsOf(
  t: TestContext,
  tables: readonly string[],
  work: () => Promise<unknown>,
): Promise<Statement[]> {
  const { mock } = t.mock.method(pg.Client.prototype, "query");
  await work();
  mock.restore();
  const all = mock.calls.map(({ arguments: given }) => given[0] as unknown as pg.QueryConfig);
  const found = all.filter(({ text }) => concerns(tables, text));
  assert.ok(found.length > 0, "no statement is about these tables");
  return found.map(({ text, values = [] }) => ({ text, values }));
}

/** Runs a statement, and returns its plan of the kind. */
export async function runPlan(
  client: pg.Client,
  { text, values }: Statement,
  kind: PlanKind,
): Promise<RunPlan> {
  const given = values.length === 0 ? "" : `(${values.map(literalOf).join(", ")})`;
  await client.query(`set plan_cache_mode = force_${kind}_plan`);
  await client.query(`prepare statement as ${text}`);
  const { rows } = await client.query(`explain (analyze, timing off, format json) execute statement${given}`);
  await client.query("deallocate statement");
  const plan: PlanNode = rows[0]["QUERY PLAN"][0].Plan;
  return { text: `${kind}: ${JSON.stringify(plan)}`, rows: rowsOf(plan) };
}

/** A database in which statements are planned. */
interface Place {
  readonly database: Database;
  /** The location as DATABASE_URL has it. */
  readonly url: string;
}

/**
 * The plans of what `query` reads from `tables`. PostgreSQL examines the tables in the transaction that plans, so that nothing
 * changes meanwhile what it knows, and prefers every index to a whole table. SQLite has no statistics, since Clew runs no `analyze`.
 */
export async function indexPlans(
  t: TestContext,
  { database, url }: Place,
  tables: readonly string[],
  query: () => Promise<unknown>,
): Promise<string[]> {
  const plans: string[] = [];
  if (!onPostgres) {
    const recorded = recordStatements(t);
    await query();
    const statements = recorded().filter((statement) => concerns(tables, statement));
    assert.ok(statements.length > 0, "no statement is about these tables");
    for (const statement of statements) {
      const explain = `explain query plan ${statement.replaceAll("?", "1")}`;
      const { rows } = await sql.raw<{ detail: string }>(explain).execute(database.read);
      plans.push(rows.map(({ detail }) => detail).join("; "));
    }
    return plans;
  }
  const statements = await statementsOf(t, tables, query);
  const client = await connectTo(url);
  await client.query("begin; analyze; set local enable_seqscan = off");
  for (const statement of statements)
    for (const kind of planKinds) plans.push((await runPlan(client, statement, kind)).text);
  await client.query("rollback");
  await client.end();
  return plans;
}

const concerns = (tables: readonly string[], statement = "") =>
  tables.some((table) => new RegExp(`\\b(from|update) "?${table}"?(\\s|$)`).test(statement));

function literalOf(value: unknown): string {
  if (Array.isArray(value)) return `array[${value.map(literalOf).join(", ")}]`;
  if (value instanceof Uint8Array) return `'\\x${Buffer.from(value).toString("hex")}'::bytea`;
  return typeof value === "string" ? pg.escapeLiteral(value) : String(value);
}

function rowsOf(plan: PlanNode): number {
  const { Plans: inner = [], "Actual Loops": loops, "Rows Removed by Filter": removed = 0 } = plan;
  const own = plan["Relation Name"] === undefined ? 0 : loops * (plan["Actual Rows"] + removed);
  return inner.reduce((sum, each) => sum + rowsOf(each), own);
}
