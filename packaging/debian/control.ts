import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { architectures, type Platform } from "../stage/dependencies.ts";
import { dependsOn } from "./depends.ts";

/** The facts of a package that the sources do not have. */
export interface Release {
  readonly platform: Platform;
  /** As npm writes versions. */
  readonly version: string;
  /** Seconds since the Unix epoch: the time of all files in the package (SOURCE_DATE_EPOCH). */
  readonly time: number;
  /** A name and an address, as `Clew <clew@example.org>`. */
  readonly maintainer: string;
}

/** The file that dpkg keeps as the administrator has changed it. */
export const conffile = "etc/clew/clew.env";

/** The file name of a package. */
export const packageFile = ({ platform, version }: Pick<Release, "platform" | "version">): string =>
  `clew_${debianVersion(version)}_${architectures[platform]}.deb`;

/** Writes the control file of a package whose files are in `folder`, as deb-control(5) has it. */
export function control(
  folder: string,
  installed: readonly string[],
  { platform, version, maintainer }: Release,
): string {
  const binaries = installed.filter((file) => file === "usr/lib/clew/node" || file.endsWith(".node"));
  const depends = ["ca-certificates", ...dependsOn(binaries.map((file) => join(folder, file)))];
  const kilobytes = installed.map((file) => Math.ceil(readFileSync(join(folder, file)).length / 1024));
  return [
    "Package: clew",
    `Version: ${debianVersion(version)}`,
    `Architecture: ${architectures[platform]}`,
    `Maintainer: ${maintainer}`,
    `Installed-Size: ${kilobytes.reduce((sum, each) => sum + each, 0)}`,
    `Depends: ${depends.join(", ")}`,
    // The unit needs a folder of credentials.
    "Breaks: systemd (<< 250)",
    "Suggests: git, postgresql (>= 15)",
    "Section: web",
    "Priority: optional",
    "Description: graph service over workspace pages",
    " Clew reads the pages and databases of a workspace, and answers questions about",
    " them and about their links: in a browser, over an API, to agents (Model Context",
    " Protocol), and on the command line.",
    " .",
    " Without settings it serves a demo workspace, on this machine alone, at",
    " http://localhost:8420. Purging the package deletes its data in /var/lib/clew.",
    "",
  ].join("\n");
}

/** A version in Debian's order: a pre-release is before its release. */
export const debianVersion = (version: string) => version.replace("-", "~");

/** Writes the digests of the files of a package that an administrator does not edit, as deb-md5sums(5) has them. */
export function md5sums(folder: string, installed: readonly string[]): string {
  const digest = (file: string) =>
    createHash("md5")
      .update(readFileSync(join(folder, file)))
      .digest("hex");
  const fixed = installed.filter((file) => file !== conffile);
  return fixed.map((file) => `${digest(file)}  ${file}\n`).join("");
}
