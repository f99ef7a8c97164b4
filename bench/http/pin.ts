import { spawnSync } from "node:child_process";

/** Binds a process to one core if the system has `taskset`. */
export function pin(pid: number | undefined, core: number): void {
  spawnSync("taskset", ["-a", "-p", "-c", String(core), String(pid)], { stdio: "ignore" });
}
