import { firstMarked, newestVersion } from "../../packages/server/src/store/migrate.ts";
import { released as onPostgres } from "../../packages/server/src/store/postgres/migrations/released.ts";
import { released as onSqlite } from "../../packages/server/src/store/sqlite/migrations/released.ts";

/* The tables of docs/upgrade.md and of the notes of a release, from the migrations themselves. */

const databases = { SQLite: onSqlite, PostgreSQL: onPostgres };

/** Writes the table of what each version opens, oldest first. */
export function versionsTable(): string {
  const versions = [...new Set(onSqlite.map(({ since }) => since))];
  const rows = versions.map((version) => {
    const known = onSqlite.slice(0, onSqlite.findLastIndex(({ since }) => since === version) + 1);
    const newest = newestVersion(known);
    const stopsBefore = Math.max(
      firstMarked,
      ...known.map((step) => (step.kind === "contract" ? step.stopsBefore : 0)),
    );
    const opened = Object.values(databases).map((steps) =>
      ranges(steps.map((step) => step.version).filter((schema) => schema <= newest)),
    );
    return `| ${version} | ${newest} | ${opened.join(" | ")} | ${stopsBefore} |`;
  });
  return [
    "| Clew | its schema | opens SQLite of schemas | opens PostgreSQL of schemas | may run beside programs from schema |",
    "|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}

/** Writes the table of all migrations, newest first. */
export function migrationsTable(): string {
  const schemas = new Set(Object.values(databases).flatMap((steps) => steps.map(({ version }) => version)));
  const rows = [...schemas]
    .sort((one, other) => other - one)
    .flatMap((schema) => {
      const found = Object.entries(databases).flatMap(([database, steps]) =>
        steps.filter(({ version }) => version === schema).map((step) => ({ database, step })),
      );
      // PostgreSQL's first steps have the numbers of other ones of SQLite's.
      const byName = Map.groupBy(found, ({ step }) => step.name);
      return [...byName].flatMap(([name, [one, other]]) => {
        if (one === undefined) return [];
        const { database, step } = one;
        const where = other === undefined ? database : "both";
        return [`| ${schema} | ${name} | ${where} | ${step.since} | ${effectOf(step)} | ${workOf(step)} |`];
      });
    });
  return [
    "| schema | migration | database | since | beside earlier programs | goes through |",
    "|---|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}

type Step = (typeof onSqlite)[number];

function effectOf(step: Step): string {
  if (step.version <= firstMarked) return "stop all";
  return step.kind === "expand" ? "may run" : `stops those before ${step.stopsBefore}`;
}

function workOf({ rows }: Step): string {
  const parts = Object.entries(rows).map(([table, how]) => `${how} \`${table}\``);
  return parts.length === 0 ? "–" : parts.join(", ");
}

/** Shortens ascending numbers: 1, 2, 3 and 7 are `1–3, 7`. */
function ranges(numbers: readonly number[]): string {
  const parts: [number, number][] = [];
  for (const number of numbers) {
    const last = parts.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else parts.push([number, number]);
  }
  return parts.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`)).join(", ");
}
