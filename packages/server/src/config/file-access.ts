import { existsSync, type Stats, statSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname } from "node:path";
import { codeOf } from "../model/thrown.ts";

/* Says for operators why this process cannot use a file or a folder, and what to do. */

/** A fault of the machine at a path, and what to do. Both are sentences without the full stop, or the end of one. */
export interface AccessFault {
  readonly reason: string;
  /** Empty if the reason says it all. */
  readonly remedy: string;
}

/** Explains an error of a file operation; null if the error is none, or one that the machine is not to blame for. */
export function accessFault(path: string, error: unknown): AccessFault | null {
  const code = codeOf(error);
  if (code === "EACCES" || code === "EPERM") return permissionFault(path);
  const [reason, remedy] = faults[code] ?? [];
  return reason === undefined || remedy === undefined ? null : { reason, remedy };
}

/** The end of a sentence about a file that cannot be read. Other errors than those of the machine may quote its content. */
export function unreadable(path: string, error: unknown): string {
  const fault = accessFault(path, error);
  if (fault === null) return "cannot be read";
  return `cannot be read: ${fault.reason}${fault.remedy === "" ? "" : `. ${fault.remedy}`}`;
}

const faults: Readonly<Record<string, readonly [string, string]>> = {
  ENOENT: ["there is no such file", ""],
  EISDIR: ["it is a folder", ""],
  ENOTDIR: ["a part of its path is a file", ""],
  EROFS: ["the file system is read-only", "Choose a folder that Clew can write"],
  ENOSPC: ["the disk is full", "Free some space"],
  EDQUOT: ["the quota on the disk is used up", "Free some space, or raise the quota"],
  EIO: ["the disk reports an error", "Look into the kernel's log, and restore a backup on another disk"],
};

function permissionFault(path: string): AccessFault {
  const found = nearestFound(path);
  const user = ownName();
  const isThere = found.path === path;
  const reason = `${isThere ? "it" : found.path} ${ownership(found.stats)}`;
  if (!isThere) return { reason, remedy: "" };
  const command = found.stats.uid === process.getuid?.() ? "chmod u+rw" : `sudo chown ${user}`;
  return { reason, remedy: `Run \`${command} ${quoted(path)}\`` };
}

/** Says whose something is and who asks: "belongs to root (mode 600), and Clew runs as nobody". */
export function ownership(stats: Stats): string {
  const mode = (stats.mode & 0o777).toString(8).padStart(3, "0");
  return `belongs to ${nameOf(stats)} (mode ${mode}), and Clew runs as ${ownName()}`;
}

/** A file or folder, or the nearest folder above it that can be seen. */
export function nearestFound(path: string): { readonly path: string; readonly stats: Stats } {
  try {
    return { path, stats: statSync(path) };
  } catch (error) {
    if (dirname(path) === path) throw error;
    return nearestFound(dirname(path));
  }
}

/** The user of this process: a name, or a number that no name belongs to. */
export function ownName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}

function nameOf({ uid }: Stats): string {
  if (uid === process.getuid?.()) return ownName();
  return uid === 0 ? "root" : `user ${uid}`;
}

/** A path as a word of a shell. */
export const quoted = (path: string) => `'${path.replaceAll("'", "'\\''")}'`;

/** Whether this process may run in a container, where its paths and users are not those of the host. */
export const isInContainer = () => ["/.dockerenv", "/run/.containerenv"].some((path) => existsSync(path));
