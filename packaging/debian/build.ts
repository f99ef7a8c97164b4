import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { entry, stageApp } from "../stage/app.ts";
import { platforms, stageDependencies } from "../stage/dependencies.ts";
import { nodeOf } from "../stage/node.ts";
import { conffile, control, md5sums, packageFile, type Release } from "./control.ts";
import { changelog, copyright, manualPage } from "./documents.ts";

const root = join(import.meta.dirname, "../..");
const files = join(import.meta.dirname, "files");

/** Options of dpkg-deb: as Debian compresses packages. Several threads would give other bytes than one. */
const xz = ["-Zxz", "--threads-max=1"];

/** Builds the Debian package of a release in a folder, and returns its path. */
export function buildPackage(folder: string, release: Release, compression: readonly string[] = xz): string {
  const contents = mkdtempSync(join(tmpdir(), "clew-debian-"));
  try {
    layOut(contents, release);
    return pack(contents, folder, release, compression);
  } finally {
    rmSync(contents, { recursive: true });
  }
}

/** Writes the files of a package to a folder as they are installed below `/`, with its control files. */
export function layOut(folder: string, release: Release): void {
  const library = join(folder, "usr/lib/clew");
  stageApp(join(library, "app"));
  stageDependencies(join(library, "app"), release.platform);
  const node = nodeOf(release.platform);
  cpSync(node.binary, join(library, "node"));
  const unit = readFileSync(join(root, "deploy/systemd/clew.service"), "utf8");
  const documents = "usr/share/doc/clew";
  write("usr/bin/clew", commandOf(unit));
  write("lib/systemd/system/clew.service", unit);
  write(conffile, readFileSync(join(files, "clew.env")));
  mkdirSync(join(folder, "etc/clew/credentials"), { recursive: true });
  write("usr/share/man/man1/clew.1.gz", compress(manualPage(release)));
  write("usr/share/lintian/overrides/clew", readFileSync(join(files, "lintian-overrides")));
  write(`${documents}/changelog.gz`, compress(changelog(release)));
  write(`${documents}/copyright`, copyright());
  write(`${documents}/node-license.gz`, compress(readFileSync(node.license, "utf8")));
  for (const script of ["postinst", "prerm", "postrm"])
    write(`DEBIAN/${script}`, readFileSync(join(files, script)));
  write("DEBIAN/conffiles", `/${conffile}\n`);
  const installed = filesBelow(folder).filter((file) => !file.startsWith("DEBIAN/"));
  write("DEBIAN/md5sums", md5sums(folder, installed));
  write("DEBIAN/control", control(folder, installed, release));

  function write(path: string, content: string | Buffer): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/**
 * Packs what `layOut` wrote. The same files and the same release give the same bytes, whatever the umask and the clock of this
 * machine. Needs dpkg-deb.
 */
export function pack(
  contents: string,
  folder: string,
  release: Release,
  compression: readonly string[] = xz,
): string {
  for (const name of ["", ...globSync("**", { cwd: contents })]) {
    const path = join(contents, name);
    chmodSync(path, modeOf(name, statSync(path).isDirectory()));
    utimesSync(path, release.time, release.time);
  }
  const target = join(folder, packageFile(release));
  mkdirSync(folder, { recursive: true });
  execFileSync("dpkg-deb", ["--root-owner-group", ...compression, "--build", contents, target], {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(release.time) },
    stdio: ["ignore", "ignore", "inherit"],
  });
  return target;
}

const programs = /^(usr\/bin\/clew|usr\/lib\/clew\/node|DEBIAN\/(postinst|prerm|postrm))$/;
/** Settings and secrets, which only root may read. */
const secrets = /^etc\/clew\/(clew\.env|credentials)$/;

function modeOf(name: string, isFolder: boolean): number {
  const mode = isFolder || programs.test(name) ? 0o755 : 0o644;
  return secrets.test(name) ? mode & 0o700 : mode;
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

/** The files below a folder, in the order of their paths. */
const filesBelow = (folder: string) =>
  globSync("**", { cwd: folder })
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort();

const compress = (content: string) => gzipSync(content, { level: 9 });

/** The time of the checked-out commit, in seconds since the Unix epoch, unless SOURCE_DATE_EPOCH names another. */
function sourceTime(): number {
  const { SOURCE_DATE_EPOCH } = process.env;
  return Number(SOURCE_DATE_EPOCH ?? execFileSync("git", ["log", "-1", "--format=%ct"], { cwd: root }));
}

if (import.meta.main) {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  // Debian's variables for those who make packages (debchange(1)).
  const { DEBFULLNAME = "Clew", DEBEMAIL = "clew@example.org" } = process.env;
  for (const platform of platforms) {
    const release = { platform, version, time: sourceTime(), maintainer: `${DEBFULLNAME} <${DEBEMAIL}>` };
    console.log(`The package is ${buildPackage(process.argv[2] ?? join(root, "build"), release)}.`);
  }
  console.log("Install the one of your machine: sudo apt install ./build/clew_….deb");
}
