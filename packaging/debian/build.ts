import { execFileSync } from "node:child_process";
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
import { entry, stageApp } from "../stage/app.ts";
import { platforms, stageDependencies } from "../stage/dependencies.ts";
import { nodeOf } from "../stage/node.ts";
import { control, md5sums, packageFile, type Release } from "./control.ts";
import { changelog, copyright, manualPage } from "./documents.ts";

const root = join(import.meta.dirname, "../..");
const files = join(import.meta.dirname, "files");

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
  write("usr/share/man/man1/clew.1.gz", compress(manualPage(release)));
  write("usr/share/lintian/overrides/clew", readFileSync(join(files, "lintian-overrides")));
  write(`${documents}/changelog.gz`, compress(changelog(release)));
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

/** The files below a folder, in the order of their paths. */
const filesBelow = (folder: string) =>
  globSync("**", { cwd: folder, withFileTypes: true })
    .filter((found) => found.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort();

const compress = (content: string) => gzipSync(content, { level: 9 });
