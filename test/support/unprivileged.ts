import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { main, type Settings, withoutSettings } from "./clew-process.ts";

export const isRoot = process.getuid?.() === 0;

/** A user who owns nothing: nobody, or this process's own if it is not root. */
export const unprivileged = isRoot
  ? { uid: 65_534, gid: 65_534 }
  : { uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1 };

/** The user's name, as messages have it. */
export const unprivilegedName =
  spawnSync("id", ["-un", String(unprivileged.uid)], { encoding: "utf8" }).stdout.trim() ||
  String(unprivileged.uid);

/** Why a test cannot run commands as that user; false if it can. */
export const skipUnprivileged =
  spawnSync(process.execPath, ["--version"], unprivileged).status !== 0 ||
  spawnSync("test", ["-r", main], unprivileged).status !== 0
    ? "other users cannot read this checkout"
    : false;

interface CommandOptions {
  readonly cwd?: string;
  /** The exit code that is expected. */
  readonly code?: number;
  /** A program that runs the command, as root. */
  readonly prefix?: readonly string[];
}

/** Runs a command as that user, and returns what it says. Fails unless it ends with this exit code and without a stack trace. */
export function runUnprivileged(
  words: readonly string[],
  { cwd = "/", code = 2, prefix = [] }: CommandOptions,
  settings: Settings,
): string {
  const [command = "", ...args] = [...prefix, process.execPath, main, ...words];
  const env = { ...withoutSettings, ...settings };
  const ended = spawnSync(command, args, {
    cwd,
    env,
    encoding: "utf8",
    ...(prefix.length === 0 && unprivileged),
  });
  assert.equal(ended.status, code, ended.stderr);
  assert.doesNotMatch(ended.stderr, /^ +at /m);
  return ended.stderr;
}
