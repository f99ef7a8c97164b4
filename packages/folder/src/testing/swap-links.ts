import { renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parentPort, workerData } from "node:worker_threads";

// A thread that swaps `x.md` with a link to a secret, and the folder `sub` with a link to a folder of secrets, until it
// is terminated. All by renaming, so that something always has these names.

const { directory, outside } = workerData as { readonly directory: string; readonly outside: string };
const inside = (name: string) => path.join(directory, name);

parentPort?.postMessage("begun");
for (;;) {
  rmSync(inside(".link"), { force: true });
  symlinkSync(path.join(outside, "note.md"), inside(".link"));
  renameSync(inside(".link"), inside("x.md"));
  writeFileSync(inside(".plain"), "allowed");
  renameSync(inside(".plain"), inside("x.md"));

  renameSync(inside("sub"), inside(".sub"));
  symlinkSync(outside, inside("sub"));
  rmSync(inside("sub"));
  renameSync(inside(".sub"), inside("sub"));
}
