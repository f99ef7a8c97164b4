import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, type TestContext, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { exitCodeTable } from "@clew/cli";
import { settings } from "@clew/contract/settings";
import { entry } from "../stage/app.ts";
import { ownPlatform } from "../stage/dependencies.ts";
import { layOut, pack } from "./build.ts";

const unitPath = join(import.meta.dirname, "../../deploy/systemd/clew.service");
const unit = readFileSync(unitPath, "utf8");

const folder = mkdtempSync(join(tmpdir(), "clew-debian-"));
after(() => rmSync(folder, { recursive: true }));

const release = {
  platform: ownPlatform ?? "linux-x64",
  version: "1.2.3-rc.4",
  time: 1_700_000_000,
  maintainer: "Clew <clew@example.org>",
} as const;

let laidOut: string | null = null;

/** The contents of the package, laid out once for all tests. */
function contents(): string {
  if (laidOut === null) {
    laidOut = join(folder, "contents");
    layOut(laidOut, release);
  }
  return laidOut;
}

const read = (path: string) => readFileSync(join(contents(), path));

/** Whether a program that only some systems have is there. Otherwise skips the test; in CI it has to be there. */
function has(t: TestContext, program: string, ...args: readonly string[]): boolean {
  const { error } = spawnSync(program, args);
  if (error === undefined) return true;
  if (process.env.CI) throw error;
  t.skip(`${program} is not installed`);
  return false;
}

test("OPS-10: systemd knows every option of the unit, and rates its exposure at 2.0 or less", (t) => {
  if (!has(t, "systemd-analyze", "--version")) return;
  const copy = join(folder, "clew.service");
  // systemd looks for the program, which is not installed here.
  writeFileSync(copy, unit.replace("ExecStart=clew", `ExecStart=${process.execPath}`));
  const verified = spawnSync("systemd-analyze", ["verify", "--man=no", "--recursive-errors=no", copy]);
  assert.equal(String(verified.stderr), "");
  assert.equal(verified.status, 0);
  const rated = spawnSync("systemd-analyze", ["security", "--offline=true", "--threshold=20", unitPath]);
  assert.equal(rated.status, 0, String(rated.stdout));
});

test("OPS-7: the unit does not start Clew again after the exit codes that stay the same", () => {
  const lasting = exitCodeTable.filter(({ code, restart }) => code !== 0 && restart.startsWith("no"));
  const [, prevented] = /^RestartPreventExitStatus=(.*)$/m.exec(unit) ?? [];
  assert.equal(prevented, lasting.map(({ code }) => code).join(" "));
});

test("OPS-10: the Debian package has a program that runs, and scripts that a shell reads", (t) => {
  for (const script of ["usr/bin/clew", "DEBIAN/postinst", "DEBIAN/prerm", "DEBIAN/postrm"])
    execFileSync("sh", ["-n", join(contents(), script)]);
  if (ownPlatform === null) return t.diagnostic("There is no Node of this platform to run it with.");
  const [node = "", main = ""] = ["usr/lib/clew/node", `usr/lib/clew/app/${entry}`].map((path) =>
    join(contents(), path),
  );
  assert.match(execFileSync(node, [main, "--version"], { encoding: "utf8" }), /^\d+\.\d+\.\d+/);
});

test("OPS-10: a command that root runs is in the sandbox of the unit", () => {
  const command = String(read("usr/bin/clew"));
  assert.doesNotMatch(command, /@[A-Z]+@/);
  const [, sandbox = ""] = /^# Everything that systemd can deny(.*)^\[Install\]/ms.exec(unit) ?? [];
  const options = sandbox.match(/^\w+=.*$/gm) ?? [];
  assert.ok(options.length > 20);
  for (const option of ["DynamicUser=yes", ...options])
    assert.ok(command.includes(`--property='${option}'`), option);
  assert.doesNotMatch(command, /'(?:Type|Exec\w*|Notify\w*|Restart(?:Sec)?)=/);
  assert.equal(String(read("lib/systemd/system/clew.service")), unit);
});

test("OPS-10: the manual page has every setting and command, and the changelog the form that Debian reads", () => {
  const manual = String(gunzipSync(read("usr/share/man/man1/clew.1.gz")));
  for (const name of [...Object.keys(settings), "serve", "keys rotate", "search"])
    assert.ok(manual.includes(`\n\\fB${name}`), name);
  const changelog = String(gunzipSync(read("usr/share/doc/clew/changelog.gz")));
  assert.match(changelog, /^clew \(1\.2\.3~rc\.4\) unstable; urgency=medium\n\n {2}\* \w+: /);
  assert.match(changelog, /\n\n -- Clew <clew@example\.org> {2}Tue, 14 Nov 2023 22:13:20 \+0000\n$/);
});

test("OPS-10: the Debian package says what it needs, hides settings and secrets, and is the same each time", (t) => {
  if (!has(t, "dpkg-deb", "--version")) return;
  const build = () => pack(contents(), folder, release, ["-Znone"]);
  const digest = (file: string) => createHash("sha256").update(readFileSync(file)).digest("hex");
  const archive = build();
  const first = digest(archive);
  for (const path of globSync(join(contents(), "usr/{bin/*,share/**}"))) {
    chmodSync(path, 0o700);
    utimesSync(path, 1, 1);
  }
  assert.equal(digest(build()), first);

  const inspect = (...args: readonly string[]) =>
    execFileSync("dpkg-deb", args, { encoding: "utf8", maxBuffer: 2 ** 24 }).trim();
  const architecture = inspect("--field", archive, "Architecture");
  assert.equal(archive, join(folder, `clew_1.2.3~rc.4_${architecture}.deb`));
  assert.equal(inspect("--field", archive, "Version"), "1.2.3~rc.4");
  const depends = inspect("--field", archive, "Depends");
  assert.match(depends, /^ca-certificates, libc6 \(>= 2\.\d+\), libgcc-s1, libstdc\+\+6 \(>= \d+\)$/);
  const lines = inspect("--contents", archive).split("\n");
  const modes = new Map(lines.map((line) => [line.split(" ./")[1] ?? "", line.slice(0, 20)]));
  assert.deepEqual(
    ["", "etc/clew/clew.env", "etc/clew/credentials/", "usr/bin/clew", "usr/share/doc/clew/copyright"].map(
      (path) => modes.get(path),
    ),
    [
      "drwxr-xr-x root/root",
      "-rw------- root/root",
      "drwx------ root/root",
      "-rwxr-xr-x root/root",
      "-rw-r--r-- root/root",
    ],
  );
});
