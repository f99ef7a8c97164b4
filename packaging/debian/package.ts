import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  globSync,
  lutimesSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { buildProgram } from "../../packages/server/src/cli/program.ts";
import { entry, stageApp } from "../stage/app.ts";
import { type Platform, productionPackages, stageDependencies } from "../stage/dependencies.ts";
import { nodeOf } from "../stage/node.ts";
import { dependsOn } from "./depends.ts";
import { manualPage } from "./manual.ts";

const root = join(import.meta.dirname, "../..");
const files = join(import.meta.dirname, "files");

/** Debian's names of the platforms that Clew is packaged for. */
const architectures = { "linux-x64": "amd64", "linux-arm64": "arm64" } as const satisfies Record<
  Platform,
  string
>;

/** The facts of a package that the sources do not have. */
interface Release {
  readonly platform: Platform;
  /** As npm writes versions. */
  readonly version: string;
  /** Seconds since the Unix epoch: the time of all files in the package (SOURCE_DATE_EPOCH). */
  readonly time: number;
  /** A name and an address, as `Clew <clew@example.org>`. */
  readonly maintainer: string;
}

/** The file name of a package. */
export const packageFile = ({ platform, version }: Pick<Release, "platform" | "version">): string =>
  `clew_${debianVersion(version)}_${architectures[platform]}.deb`;

/**
 * Builds the Debian package of a release in a folder, which also gets a folder of its contents, and returns its path. The same
 * sources and the same release give the same bytes. Needs dpkg-deb. `compression` has its options.
 */
export function buildPackage(
  folder: string,
  release: Release,
  compression: readonly string[] = ["-Zxz", "--threads-max=1"],
): string {
  const contents = join(folder, "contents");
  rmSync(contents, { recursive: true, force: true });
  layOut(contents, release);
  const target = join(folder, packageFile(release));
  execFileSync("dpkg-deb", ["--root-owner-group", ...compression, "--build", contents, target], {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(release.time) },
    stdio: ["ignore", "ignore", "inherit"],
  });
  return target;
}

/** Writes the files of a package to a folder as they are installed below `/`, with its control files. */
function layOut(folder: string, release: Release): void {
  const library = join(folder, "usr/lib/clew");
  stageApp(join(library, "app"));
  stageDependencies(join(library, "app"), release.platform);
  const node = nodeOf(release.platform);
  cpSync(node.binary, join(library, "node"));
  const unit = readFileSync(join(root, "deploy/systemd/clew.service"), "utf8");
  const documents = "usr/share/doc/clew";
  write("usr/bin/clew", commandOf(unit));
  write("lib/systemd/system/clew.service", unit);
  write("etc/clew/clew.env", readFileSync(join(files, "clew.env")));
  mkdirSync(join(folder, "etc/clew/credentials"), { recursive: true });
  write("usr/share/man/man1/clew.1.gz", compress(manualOf(release)));
  write("usr/share/lintian/overrides/clew", readFileSync(join(files, "lintian-overrides")));
  write(`${documents}/changelog.gz`, compress(changelogOf(release)));
  write(`${documents}/copyright`, copyright());
  write(`${documents}/node-license.gz`, compress(readFileSync(node.license, "utf8")));
  for (const script of ["postinst", "prerm", "postrm"])
    write(`DEBIAN/${script}`, readFileSync(join(files, script)));
  write("DEBIAN/conffiles", "/etc/clew/clew.env\n");
  const installed = filesBelow(folder).filter((file) => !file.startsWith("DEBIAN/"));
  write("DEBIAN/md5sums", md5sums(folder, installed));
  write("DEBIAN/control", control(folder, installed, release));
  settle(folder, release.time);

  function write(path: string, content: string | Buffer): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** Paths that everyone may run, and those that only root may read; everyone may read the others. */
const executable = /^(usr\/bin\/clew|usr\/lib\/clew\/node|DEBIAN\/(postinst|prerm|postrm))$/;
const forRoot = /^etc\/clew\/(clew\.env|credentials)$/;

/** Gives all files the modes and the time that they have in the package, whatever the umask and the clock of this machine. */
function settle(folder: string, time: number): void {
  for (const found of globSync("**", { cwd: folder, withFileTypes: true })) {
    const path = join(found.parentPath, found.name);
    const name = path.slice(folder.length + 1);
    const mode = found.isDirectory() || executable.test(name) ? 0o755 : 0o644;
    chmodSync(path, forRoot.test(name) ? mode & 0o700 : mode);
    lutimesSync(path, time, time);
  }
}

/** Options of the unit that make no sense for a command. */
const ofService = /^(Type|ExecStart|NotifyAccess|Timeout\w+|Restart\w*)=/;

/** The program /usr/bin/clew, which runs commands of root with the options of the unit. */
function commandOf(unit: string): string {
  const [, service = ""] = /^\[Service\]\n(.*?)^\[/ms.exec(unit) ?? [];
  const options = service.split("\n").filter((line) => /^\w+=/.test(line) && !ofService.test(line));
  // The user of the unit, whose name is the unit's. A copy in a private /tmp would be gone after the command.
  const properties = ["User=clew", ...options, "ReadOnlyPaths=/tmp /var/tmp"];
  return readFileSync(join(files, "clew"), "utf8")
    .replace("@PROPERTIES@", properties.map((each) => `--property='${each}'`).join(" \\\n    "))
    .replace("@ENTRY@", entry);
}

function control(
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
const debianVersion = (version: string) => version.replace("-", "~");

const md5sums = (folder: string, installed: readonly string[]) =>
  installed
    .filter((file) => file !== "etc/clew/clew.env")
    .map(
      (file) =>
        `${createHash("md5")
          .update(readFileSync(join(folder, file)))
          .digest("hex")}  ${file}\n`,
    )
    .join("");

/** The files below a folder, in the order of their paths. */
const filesBelow = (folder: string) =>
  globSync("**", { cwd: folder, withFileTypes: true })
    .filter((found) => found.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort();

function manualOf({ version, time }: Release): string {
  const unused = () => {
    throw new Error("the program of the manual runs no command");
  };
  const { stdin, stdout } = process;
  const reading = { fetch, random: unused, clock: unused, stdin, stdout, warn: unused };
  const context = {
    env: {},
    fromEnvFile: new Set<string>(),
    random: unused,
    print: unused,
    writeLog: unused,
  };
  const program = buildProgram({ ...context, serve: unused, reading });
  return manualPage(program, { version, date: new Date(time * 1000).toISOString().slice(0, 10) });
}

/** The changes of a version in the form of deb-changelog(5), or those that are not released yet. */
function changelogOf({ version, time, maintainer }: Release): string {
  const sections = readFileSync(join(root, "CHANGELOG.md"), "utf8").split(/^## /m);
  const headed = (heading: string) => sections.find((section) => section.startsWith(heading));
  const section = headed(version) ?? headed("Unreleased") ?? "";
  const changes = section.split(/^- /m).slice(1);
  const entries = changes.map((change) => wrap(`* ${change.trim().replaceAll(/\s+/g, " ")}`));
  const date = new Date(time * 1000).toUTCString().replace("GMT", "+0000");
  return `clew (${debianVersion(version)}) unstable; urgency=medium\n\n${entries.join("\n")}\n\n -- ${maintainer}  ${date}\n`;
}

/** Breaks a text into lines of at most 80 characters, indented as an entry of a changelog. */
function wrap(text: string): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line.length + word.length > 75 && line !== "") lines.push(`  ${word}`);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines.map((line) => `  ${line}`).join("\n");
}

function copyright(): string {
  const packages = [...productionPackages()].map(([path, { version }]) => {
    const { license = "see its files" } = JSON.parse(readFileSync(join(root, path, "package.json"), "utf8"));
    return `  ${path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)} ${version}: ${license}`;
  });
  return [
    "Clew: no licence has been chosen. All rights are reserved.",
    "",
    "/usr/lib/clew/node is Node.js. Its licence, and those of the libraries in it,",
    "are in /usr/share/doc/clew/node-license.gz.",
    "",
    "The package has these packages of others, each with its licence in its folder",
    "below /usr/lib/clew/app. The text of Apache-2.0 is in",
    "/usr/share/common-licenses/Apache-2.0, too.",
    "",
    ...packages,
    "",
  ].join("\n");
}

const compress = (content: string) => gzipSync(content, { level: 9 });
