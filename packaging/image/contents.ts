import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, matchesGlob } from "node:path";
import { entry, stageApp } from "../stage/app.ts";
import { type Architecture, architectures, type Platform, stageDependencies } from "../stage/dependencies.ts";
import { nodeOf } from "../stage/node.ts";
import { controlOf, fetchDebianPackage, packagesOf, readDebianLock, unpackDebianPackage } from "./debian.ts";
import { withoutSymbols } from "./elf.ts";
import { directory, type Entry, file, type Layer, packLayer, readTree } from "./layer.ts";

/** The user of the image, which no name on the host has. Any other works as well. */
export const user = 65_532;

/** The folder of Clew in the image. */
const app = "app";

/** Its main module, as an absolute path. */
export const mainModule = `/${app}/${entry}`;

/** The bundle of certificate authorities, as an absolute path. */
export const certificates = "/etc/ssl/certs/ca-certificates.crt";

/**
 * The files of Debian's packages that the image has: the libraries, the links between folders by which they are found, the
 * name of the system, and licences. No program is among them.
 */
const taken = [
  "{lib,lib64}",
  "etc/{debian_version,os-release}",
  "usr/lib/os-release",
  "usr/lib{,64}/ld-linux-*.so.*",
  "usr/lib/*-linux-gnu/*.so*",
  "usr/share/common-licenses/*",
  "usr/share/doc/*",
  "usr/share/doc/*/copyright",
];

/** Libraries of those that help to debug or profile programs, or know only name services that the image does not have. */
const notTaken = [
  "**/lib{c_malloc_debug,memusage,pcprofile,thread_db,mvec,nsl,nss_compat,nss_hesiod,BrokenLocale}.so*",
];

/** Makes the layers of an image. What changes least comes first, since an upgrade fetches only what has changed. */
export async function layersOf(platform: Platform): Promise<readonly Layer[]> {
  const folder = mkdtempSync(join(tmpdir(), "clew-image-"));
  try {
    const node = nodeOf(platform);
    const staged = join(folder, "staged");
    stageApp(staged);
    const own = readTree(staged, app).map(modulesOnly);
    stageDependencies(join(folder, "dependencies"), platform);
    const dependencies = readTree(join(folder, "dependencies"), app).map(modulesOnly);
    return await Promise.all([
      packLayer("Debian's libraries, certificates and names", systemEntries(architectures[platform], folder)),
      packLayer("Node", [
        file("usr/bin/node", withoutSymbols(readFileSync(node.binary)), 0o755),
        file("usr/share/doc/node/LICENSE", readFileSync(node.license)),
      ]),
      packLayer("the packages that Clew needs", dependencies),
      packLayer("Clew", [...own, file("usr/bin/clew", launcher, 0o755)]),
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** `clew` for `docker exec`. There is no shell that could run a script of one. */
const launcher = `#!/usr/bin/node\nimport(${JSON.stringify(mainModule)});\n`;

/** A file of Clew or of a package as Node loads it: no program in its own right, and without symbols. */
function modulesOnly(each: Entry): Entry {
  if (each.type !== "file") return each;
  const content = each.path.endsWith(".node") ? withoutSymbols(each.content) : each.content;
  return { ...each, mode: 0o644, content };
}

function systemEntries(architecture: Architecture, scratch: string): readonly Entry[] {
  const lock = readDebianLock();
  const unpacked = join(scratch, "debian");
  const records = packagesOf(lock, architecture).map((each) => {
    const path = fetchDebianPackage(each);
    unpackDebianPackage(path, unpacked);
    return file(`var/lib/dpkg/status.d/${each.name}`, controlOf(path));
  });
  const isTaken = (path: string) =>
    taken.some((pattern) => matchesGlob(path, pattern)) &&
    !notTaken.some((pattern) => matchesGlob(path, pattern));
  return [
    ...readTree(unpacked, "", isTaken),
    ...records,
    file(certificates.slice(1), certificateBundle(unpacked)),
    file("etc/passwd", `root:x:0:0:root:/:/nonexistent\nclew:x:${user}:${user}:Clew:/data:/nonexistent\n`),
    file("etc/group", `root:x:0:\nclew:x:${user}:\n`),
    // Without it glibc asks DNS before it looks into /etc/hosts, where engines write names of containers.
    file("etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n"),
    // Open to any user, since any may be chosen for the container. A volume takes the mode of the folder that it covers.
    directory("data", 0o1777),
    directory("tmp", 0o1777),
    // Engines mount something here, and create what is missing only if the root can be written.
    ...["dev", "proc", "sys", "etc/ssl/certs"].map((path) => directory(path)),
  ];
}

/** All certificates in one file, as update-ca-certificates writes it: in the order of their names, each ending in a newline. */
function certificateBundle(unpacked: string): string {
  const found = readTree(join(unpacked, "usr/share/ca-certificates"), "", (path) => path.endsWith(".crt"));
  const texts = found
    .sort((one, other) => (one.path < other.path ? -1 : 1))
    .map((each) => (each.type === "file" ? each.content.toString() : ""));
  return texts.map((text) => (text.endsWith("\n") ? text : `${text}\n`)).join("");
}
