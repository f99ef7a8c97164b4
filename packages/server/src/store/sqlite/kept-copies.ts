import { readdir, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** Why a copy of a database is kept beside it: `restore`, or `schema-N` before a migration to schema N. */
type Occasion = "restore" | `schema-${number}`;

/** How long copies are kept, in milliseconds: they hold what was deleted since. */
const keptFor = 30 * 86_400_000;

/** The name of the copy that is kept of the database at `path` before something is done to it. */
export function keptCopyPath(path: string, occasion: Occasion, now: number): string {
  return `${path}.before-${occasion}-${new Date(now).toISOString().replaceAll(/[-:.]/g, "")}`;
}

/** The side files of a copy go with it. Earlier programs named copies otherwise: those are as old as their files. */
const copyName =
  /^\.(?:before-(?:restore|schema-\d+)-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)\d*Z|schema-\d+\.backup)(?:-wal|-shm)?$/;

/** Removes the copies that have been kept long enough. */
export async function removeOldCopies(path: string, now: number): Promise<void> {
  const folder = dirname(path);
  for (const name of await readdir(folder)) {
    if (!name.startsWith(basename(path))) continue;
    const parts = copyName.exec(name.slice(basename(path).length));
    if (parts === null) continue;
    const made = timeOf(parts) ?? (await stat(join(folder, name))).mtimeMs;
    if (made < now - keptFor) await rm(join(folder, name), { force: true });
  }
}

function timeOf([, year, month, day, hour, minute, second]: RegExpExecArray): number | null {
  if (year === undefined) return null;
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
}
