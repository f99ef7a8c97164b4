import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { lockHolder } from "../../model/holders.ts";
import { codeOf, reasonOf } from "../../model/thrown.ts";
import { DatabaseError } from "../port.ts";
import { isBusy, isDamaged, isFull, sideFiles } from "./file.ts";

/** Free bytes below which SQLite cannot write the files that it works with: it reports that as an I/O error. */
const minWorkingBytes = 100_000;

/** Why the database at `path` cannot be opened, and what to do. An error of the file system stays the cause, which says more. */
export function openFault(path: string, cause: unknown): DatabaseError {
  if (cause instanceof DatabaseError) return cause;
  const fault = (code: "unusable" | "unreachable", message: string) =>
    new DatabaseError(code, message, { cause });
  if (isBusy(cause)) {
    const holder = lockHolder(["", ...sideFiles].map((suffix) => path + suffix));
    return fault(
      "unreachable",
      `The database ${path} is locked by ${holder ?? "another program"}. Stop that program, or wait until it is done.`,
    );
  }
  if (isFull(cause) || (isDamaged(cause) && roomOnDisk(path).freeBytes < minWorkingBytes)) {
    const { shown } = roomOnDisk(path);
    return fault(
      "unreachable",
      `The disk of ${path} is full: ${shown}. Free some space, or move DATA_DIR to a larger disk.`,
    );
  }
  const code = codeOf(cause);
  if (code === "SQLITE_CORRUPT" || code === "SQLITE_NOTADB")
    return fault(
      "unusable",
      `The database ${path} is damaged: ${reasonOf(cause)}. \`clew verify\` looks closer, and \`clew restore <file>\` puts a backup in its place.`,
    );
  const isOfFile = "path" in Object(cause);
  return fault("unusable", `The database ${path} cannot be opened${isOfFile ? "" : `: ${reasonOf(cause)}`}`);
}

function roomOnDisk(path: string): { readonly freeBytes: number; readonly shown: string } {
  const { bavail, blocks, bsize } = statfsSync(dirname(path));
  const [free, size] = [bavail, blocks].map((count) => `${Math.floor((count * bsize) / 1e6)} MB`);
  return { freeBytes: bavail * bsize, shown: `${free} of ${size} are free` };
}
