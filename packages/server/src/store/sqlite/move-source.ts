import type { MoveSource } from "../move.ts";
import { openExclusive } from "./file.ts";

/** Opens the database at `path` for this process alone; null if another process has it open. */
export function openMoveSource(path: string): MoveSource | null {
  const file = openExclusive(path);
  if (file === null) return null;
  return {
    rows(table, columns) {
      const list = columns.map((column) => `"${column}"`).join(", ");
      // The statement determines the type of its rows.
      return file.prepare(`select ${list} from "${table}"`).raw().iterate() as ReturnType<MoveSource["rows"]>;
    },
    lastIds() {
      const rows = file
        .prepare<[], { name: string; seq: number }>("select name, seq from sqlite_sequence")
        .all();
      return new Map(rows.map(({ name, seq }) => [name, seq]));
    },
    close: () => file.close(),
  };
}
