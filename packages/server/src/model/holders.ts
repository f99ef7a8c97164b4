import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";

/*
 * Names the program that has a port or a file, as far as Linux tells this process in /proc. Elsewhere, or in another container,
 * nothing is known.
 */

/** The program that listens on a port; only its user, if that is another one. https://docs.kernel.org/networking/proc_net_tcp.html */
export function portHolder(port: number): string | null {
  const lines = ["tcp", "tcp6"].flatMap((name) => linesOf(`/proc/net/${name}`));
  for (const line of lines) {
    const [, local = "", , state, , , , uid, , inode] = line.trim().split(/\s+/);
    const isListening = state === "0A";
    if (!isListening || Number.parseInt(local.split(":")[1] ?? "", 16) !== port) continue;
    const [pid] = processes().filter((each) => filesOf(each).includes(`socket:[${inode}]`));
    if (pid !== undefined) return programOf(pid);
    return `a program of ${uid === "0" ? "root" : `user ${uid}`}`;
  }
  return null;
}

/** Another program that has locked one of these files against writers. https://man7.org/linux/man-pages/man5/proc_locks.5.html */
export function lockHolder(paths: readonly string[]): string | null {
  const inodes = paths.map((path) => String(statSync(path, { throwIfNoEntry: false })?.ino));
  for (const line of linesOf("/proc/locks")) {
    const [, , , access, pid = "", file = ""] = line.split(/\s+/);
    const isOthers = access === "WRITE" && Number(pid) > 0 && Number(pid) !== process.pid;
    if (isOthers && inodes.includes(file.split(":")[2] ?? "")) return programOf(pid);
  }
  return null;
}

/** The name of a process as the system has it, and its id. */
function programOf(pid: string): string {
  const [name = ""] = linesOf(`/proc/${pid}/comm`);
  return name === "" ? `process ${pid}` : `${name} (process ${pid})`;
}

const processes = () => listed("/proc").filter((name) => /^\d+$/.test(name));

/** The files that a process has open; none if this process may not see them. */
const filesOf = (pid: string) =>
  listed(`/proc/${pid}/fd`).map((name) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${name}`);
    } catch {
      return "";
    }
  });

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n");
  } catch {
    return [];
  }
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
