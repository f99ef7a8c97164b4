import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import type { Architecture } from "../stage/dependencies.ts";

const root = join(import.meta.dirname, "../..");

/** A package of Debian, named by its digest. */
export interface DebianPackage {
  readonly name: string;
  readonly version: string;
  readonly architecture: Architecture | "all";
  /** Its path in the pool of Debian's servers, with the archive: `debian/pool/main/…` or `debian-security/pool/…`. */
  readonly path: string;
  readonly sha256: string;
}

/** A package of the image. */
export interface LockedDebianPackage extends DebianPackage {
  /** Names the file at snapshot.debian.org, which keeps what the pool replaces. What it is, `sha256` decides. */
  readonly sha1: string;
}

/** The packages of the image, for both architectures (`debian-packages.json`). */
export interface DebianLock {
  readonly release: string;
  readonly packages: readonly LockedDebianPackage[];
}

export const lockFile = join(import.meta.dirname, "debian-packages.json");

export const readDebianLock = (): DebianLock => JSON.parse(readFileSync(lockFile, "utf8")) as DebianLock;

/** The packages that an image of an architecture has. */
export const packagesOf = ({ packages }: DebianLock, architecture: Architecture) =>
  packages.filter((each) => each.architecture === architecture || each.architecture === "all");

/**
 * Fetches a package with apt, as this machine's apt is set up (proxy, mirrors of `deb.debian.org`), and returns its path. A
 * package that was fetched before is used again. Throws if it is not at any of its addresses, or has another digest.
 */
export function fetchDebianPackage(wanted: DebianPackage & Partial<LockedDebianPackage>): string {
  const folder = join(root, "node_modules/.cache/debian");
  const path = join(folder, basename(wanted.path));
  if (existsSync(path) && digest("sha256", path) === wanted.sha256) return path;
  mkdirSync(folder, { recursive: true });
  const partial = `${path}.${process.pid}`;
  const faults: string[] = [];
  for (const address of addressesOf(wanted)) {
    // As another user, apt could not write into a folder of this checkout.
    const args = ["-o", "APT::Sandbox::User=", "download-file", address, partial, `SHA256:${wanted.sha256}`];
    const { status, stderr, error } = spawnSync("/usr/lib/apt/apt-helper", args, { encoding: "utf8" });
    if (error !== undefined)
      throw new Error("the image is built with apt and dpkg-deb, of Debian or Ubuntu", { cause: error });
    if (status === 0) {
      renameSync(partial, path);
      return path;
    }
    faults.push(stderr.trim());
    rmSync(partial, { force: true });
  }
  throw new Error(`failed to fetch ${wanted.name} ${wanted.version}:\n${faults.join("\n")}`);
}

function addressesOf({ path, sha1 }: DebianPackage & Partial<LockedDebianPackage>): readonly string[] {
  const pool = `https://deb.debian.org/${path.split("/").map(encodeURIComponent).join("/")}`;
  return sha1 === undefined ? [pool] : [pool, `https://snapshot.debian.org/file/${sha1}`];
}

/** Unpacks a package into a folder, and runs none of its scripts. */
export function unpackDebianPackage(path: string, folder: string): void {
  execFileSync("dpkg-deb", ["--extract", path, folder]);
}

/** The control record of a package (deb-control(5)), by which scanners of images know what is installed. */
export const controlOf = (path: string): string =>
  execFileSync("dpkg-deb", ["--field", path], { encoding: "utf8" });

/** The digest of a file, in hexadecimal. */
export const digest = (algorithm: "sha1" | "sha256", path: string): string =>
  createHash(algorithm).update(readFileSync(path)).digest("hex");
