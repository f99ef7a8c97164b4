// Brings in what Clew needs before `npm start` and `npm test`: the locked dependencies and a supported Node.
// This file alone may run on an older Node: it uses nothing but long-standing built-ins.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const oldestNode = [22, 18];
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, "node_modules");
const stampFile = join(modules, ".clew-install");
const broughtNode = join(modules, ".bin", process.platform === "win32" ? "node.cmd" : "node");

installLockedDependencies();
checkNode();

/** Installs when the lockfile is not the one that was installed last; its digest is the stamp. */
function installLockedDependencies() {
  const wanted = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === wanted) return;
  const npm = process.env.npm_execpath;
  if (!npm) fail("Run this through npm: npm start, or npm test.");
  console.log("Installing dependencies (once for each change of package-lock.json) …");
  const { status } = spawnSync(process.execPath, [npm, "ci", "--no-audit", "--no-fund"], {
    cwd: root,
    stdio: "inherit",
  });
  if (status !== 0) fail("The dependencies could not be installed; npm says above why.");
  mkdirSync(modules, { recursive: true });
  writeFileSync(stampFile, wanted);
}

/** npm scripts find `node_modules/.bin/node` first. Where it does not run here, the Node on the PATH must do. */
function checkNode() {
  if (existsSync(broughtNode)) {
    const { status } = spawnSync(broughtNode, ["--version"], { shell: process.platform === "win32" });
    if (status === 0) return;
    rmSync(broughtNode, { force: true });
  }
  const own = process.versions.node.split(".").map(Number);
  const recent = own[0] > oldestNode[0] || (own[0] === oldestNode[0] && own[1] >= oldestNode[1]);
  if (recent) return;
  fail(
    `Clew needs Node ${oldestNode.join(".")} or newer. There is no packaged Node for ${process.platform} ${process.arch}, ` +
      `and the one on the PATH is ${process.versions.node}.`,
  );
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
