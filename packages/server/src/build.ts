import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Build } from "@clew/contract";
import manifest from "../package.json" with { type: "json" };

/** Milliseconds that git may take. */
const gitTimeoutMs = 2_000;

/**
 * Finds out which build of Clew runs: from the build.json that a packaging writes beside the server's package.json, or from
 * git in a clone. The commit is null where neither knows it.
 */
export function readBuild(packageFolder = join(import.meta.dirname, "..")): Build {
  const { version } = manifest;
  const written = join(packageFolder, "build.json");
  if (!existsSync(written)) return { version, commit: commitOf(join(packageFolder, "../..")) };
  const { commit } = JSON.parse(readFileSync(written, "utf8")) as { readonly commit: string | null };
  return { version, commit };
}

/**
 * The commit that a clone has checked out; null without a clone, without git, and if git refuses a folder that belongs to
 * another user. `rev-parse` runs none of the programs that a repository's settings can name.
 */
export function commitOf(folder: string): string | null {
  // An installed Clew may lie inside another project's repository.
  if (!existsSync(join(folder, ".git"))) return null;
  const env = { PATH: process.env.PATH, GIT_CEILING_DIRECTORIES: dirname(folder) };
  try {
    return execFileSync("git", ["-C", folder, "rev-parse", "--verify", "HEAD"], {
      encoding: "utf8",
      env,
      timeout: gitTimeoutMs,
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return null;
  }
}

/** The build in a line: `0.1.0 (commit 4f0c…)`. */
export function buildText({ version, commit }: Build): string {
  return commit === null ? version : `${version} (commit ${commit})`;
}
