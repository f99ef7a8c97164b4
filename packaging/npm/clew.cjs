#!/usr/bin/env node
"use strict";
// clew <command> as npm installs it: runs Clew with the Node of the package for this platform, or with this Node if it is new
// enough. Only this file may run on an older Node: it uses only what old versions have.
const { spawn } = require("node:child_process");
const { existsSync, readFileSync } = require("node:fs");
const { constants, homedir } = require("node:os");
const { dirname, isAbsolute, join } = require("node:path");

const oldestNode = [22, 18];
const platform = `${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;

const node = packagedNode() || ownNode();
if (node === null) {
  const needed = oldestNode.join(".");
  console.error(
    `Clew needs Node ${needed} or newer, and this is ${process.versions.node}: update Node, or install Clew with its optional dependencies, which bring one for Linux.`,
  );
  process.exit(1);
}

const { XDG_STATE_HOME: stateHome = "" } = process.env;
const env = {
  // As in bin/clew of the checkout (docs/operations.md, Memory).
  MALLOC_MMAP_THRESHOLD_: "73728",
  // Beside the code, where only those who may change the code can write. If nobody may, Node does without.
  NODE_COMPILE_CACHE: join(__dirname, ".cache", "compiled"),
  PACKAGED_DATA_DIR: join(isAbsolute(stateHome) ? stateHome : join(homedir(), ".local", "state"), "clew"),
  ...process.env,
};
const main = join(__dirname, "node_modules/@clew/server/src/main.js");
const args = [main, ...process.argv.slice(2)];

// In place of this process where Node can do that, so that signals reach Clew itself.
if (typeof process.execve === "function" && process.platform !== "win32") {
  process.execve(node, [node, ...args], env);
} else runBeside();

/** The Node that npm installed beside Clew for this platform; null if there is none, or none that the C library can load. */
function packagedNode() {
  if (platform.startsWith("linux") && !hasGlibc()) return null;
  try {
    const manifest = require.resolve(`node-${platform}/package.json`);
    const path = join(dirname(manifest), JSON.parse(readFileSync(manifest, "utf8")).bin.node);
    return existsSync(path) ? path : null;
  } catch {
    return null;
  }
}

/** Whether the machine has glibc. Alpine, for example, has musl. */
function hasGlibc() {
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime !== undefined;
}

function ownNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  const isRecent = major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1]);
  return isRecent ? process.execPath : null;
}

function runBeside() {
  const child = spawn(node, args, { env, stdio: "inherit" });
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  // A terminal sends it to both.
  process.on("SIGINT", () => {});
  child.on("error", (error) => {
    console.error(`Failed to run ${node}: ${error.message}`);
    process.exit(1);
  });
  child.on("exit", (code, signal) => process.exit(signal === null ? code : 128 + constants.signals[signal]));
}
