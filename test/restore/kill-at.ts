import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

/*
 * Loaded before a program: kills it at the call to the file system that KILL_AT counts to, before it is made.
 */
let left = Number(process.env.KILL_AT);

function counted<Args extends unknown[], Result>(call: (...args: Args) => Result): (...args: Args) => Result {
  return (...args) => {
    if (left === 0) process.kill(process.pid, "SIGKILL");
    left -= 1;
    return call(...args);
  };
}

Object.assign(fs, {
  link: counted(fs.link),
  rename: counted(fs.rename),
  rm: counted(fs.rm),
  open: counted(fs.open),
});
syncBuiltinESMExports();
