import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, readFile, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

const execute = promisify(execFile);
const maxBuffer = 64 * 1024 * 1024;

/** A system in a folder, booted with its own systemd in a container that has no network but its loopback. */
export interface BootedMachine {
  /** Runs a shell script as root. Returns its output, standard error included; throws with it if the script fails. */
  run(script: string): Promise<string>;
  /** Runs a program of this machine, and not of the booted one, in the network of the booted one. Returns what it prints. */
  visit(command: string, ...args: readonly string[]): Promise<string>;
  /** Copies a file into its folder /root. */
  give(file: string): Promise<void>;
  /** Shuts it down and deletes its folder. */
  stop(): Promise<void>;
}

/**
 * Installs a release of Debian from its archive in `folder`: what every system has, and systemd. `packages` are not installed
 * but kept for apt, since the booted system has no network. Needs root, debootstrap and the archive.
 */
export async function installDebian(
  folder: string,
  release: string,
  packages: readonly string[],
): Promise<void> {
  const system = ["--variant=minbase", "--include=systemd,systemd-sysv,dbus"];
  await execute("debootstrap", [...system, release, folder], { maxBuffer });
  await execute("chroot", [folder, "apt-get", "install", "--yes", "--download-only", ...packages], {
    maxBuffer,
  });
}

/** Boots the system in `folder`. Needs root and systemd-nspawn. */
export async function boot(folder: string): Promise<BootedMachine> {
  const group = `clew-${basename(folder)}`;
  // systemd needs a hierarchy of control groups that it can write, also on a machine with those of cgroup version 1.
  const prepare = [
    "mount --make-rprivate /",
    "umount --recursive /sys/fs/cgroup",
    "mount -t cgroup2 cgroup2 /sys/fs/cgroup",
  ];
  const nspawn = `exec systemd-nspawn --directory="$1" --boot --private-network --register=no --keep-unit --console=pipe`;
  const enter = [
    ...prepare,
    `mkdir /sys/fs/cgroup/${group}`,
    `echo $$ >/sys/fs/cgroup/${group}/cgroup.procs`,
  ];
  const script = `set -e; ${[...enter, nspawn].join("; ")}`;
  const container = spawn("unshare", ["--mount", "sh", "-c", script, "sh", folder], { stdio: "ignore" });
  const ended = once(container, "exit");
  const init = await firstChild(container.pid ?? 0, () => container.exitCode !== null);
  const shell = (text: string) => [`--target=${init}`, "--all", "--wdns=/root", "sh", "-c", text];
  const run = async (text: string) => {
    const failed = (error: Error & { stdout?: string }) => {
      throw new Error(`${text}\n${error.stdout}`, { cause: error });
    };
    // Without the variables of this machine, on which the booted one does not depend.
    const env = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" };
    const { stdout } = await execute("nsenter", shell(`exec 2>&1; ${text}`), { maxBuffer, env }).catch(
      failed,
    );
    return stdout;
  };
  // It ends with an error as long as there is no systemd to ask, and if a unit of the system failed.
  while (!/running|degraded/.test(await run("systemctl is-system-running --wait || true"))) await sleep(200);
  return {
    run,
    async visit(command, ...args) {
      const { stdout } = await execute("nsenter", [`--target=${init}`, "--net", command, ...args], {
        maxBuffer,
      });
      return stdout;
    },
    give: (file) => copyFile(file, join(folder, "root", basename(file))),
    async stop() {
      container.kill("SIGTERM");
      await ended;
      const remove = `find /sys/fs/cgroup/${group} -depth -type d -exec rmdir {} +`;
      await execute("unshare", ["--mount", "sh", "-c", `set -e; ${[...prepare, remove].join("; ")}`]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The first process that another one starts. Throws if `hasEnded` before. */
async function firstChild(pid: number, hasEnded: () => boolean): Promise<string> {
  while (!hasEnded()) {
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
    const [first = ""] = children.split(" ");
    const command = first === "" ? "" : await readFile(`/proc/${first}/comm`, "utf8").catch(() => "");
    if (command.trim() === "systemd") return first;
    await sleep(50);
  }
  throw new Error("the system did not boot: systemd-nspawn ended");
}
