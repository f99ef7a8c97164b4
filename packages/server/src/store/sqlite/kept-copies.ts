/** Why a copy of a database is kept beside it: `restore`, or `schema-N` before a migration to schema N. */
type Occasion = "restore" | `schema-${number}`;

/** The name of the copy that is kept of the database at `path` before something is done to it. */
export function keptCopyPath(path: string, occasion: Occasion, now: number): string {
  return `${path}.before-${occasion}-${new Date(now).toISOString().replaceAll(/[-:.]/g, "")}`;
}
