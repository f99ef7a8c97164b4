import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { buildPackage } from "../../packaging/debian/build.ts";
import { type BootedMachine, boot, installDebian } from "./booted-machine.ts";

/**
 * Installs Clew's Debian package in a fresh Debian without Node and git that is booted with systemd, and goes through its life:
 * `npm run campaign debian`. RELEASE names another release than Debian 12. Needs root, debootstrap, systemd-nspawn, lintian and
 * Debian's archive. Prints sizes and seconds; the exit code is 1 if anything failed.
 */
const debianRelease = process.env.RELEASE ?? "bookworm";
const address = "http://localhost:8420/";
const root = join(import.meta.dirname, "../..");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
const release = {
  platform: "linux-x64",
  time: 1_700_000_000,
  maintainer: "Clew <clew@example.org>",
} as const;
const oldVersion = "0.0.1";

async function step<Result>(label: string, work: () => Result): Promise<Awaited<Result>> {
  const start = performance.now();
  const result = await work();
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${label}: ${seconds} s${typeof result === "string" ? `; ${result.trim()}` : ""}`);
  return result;
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

const folder = mkdtempSync(join(tmpdir(), "clew-debian-"));

/** Builds the package of this version, and one of an earlier version with another configuration file. */
async function buildPackages(): Promise<{ readonly current: string; readonly earlier: string }> {
  let current = "";
  await step(`clew ${version} is packed`, () => {
    current = buildPackage(folder, { ...release, version });
    const installed = execFileSync("dpkg-deb", ["--field", current, "Installed-Size"], { encoding: "utf8" });
    return `${megabytes(statSync(current).size)}, installed ${megabytes(Number(installed) * 1024)}`;
  });
  const quick = ["-Zgzip", "-z1"];
  const earlier = buildPackage(folder, { ...release, version: oldVersion }, quick);
  const contents = join(folder, "earlier");
  execFileSync("dpkg-deb", ["--raw-extract", earlier, contents]);
  writeFileSync(join(contents, "etc/clew/clew.env"), "# Settings of an earlier version.\n");
  execFileSync("dpkg-deb", ["--root-owner-group", ...quick, "--build", contents, earlier]);
  return { current, earlier };
}

function lint(file: string): string {
  const output = execFileSync("lintian", ["--fail-on", "error", file], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return `no errors, ${output.split("\n").filter((line) => line.startsWith("W:")).length} warnings`;
}

async function tour(machine: BootedMachine): Promise<string> {
  const output = await machine.visit(process.execPath, join(root, "scripts/tour/main.ts"), "--url", address);
  assert.match(output, /"code": "token_revoked"[^$]*$/, "the tour ended before its last line");
  return "to the last line";
}

/** The service as systemd describes it, by property. */
async function describe(machine: BootedMachine): Promise<Readonly<Record<string, string>>> {
  const names = ["ActiveState", "Result", "NRestarts", "MainPID", "UnitFileState", "ExecMainStatus"];
  const lines = (await machine.run(`systemctl show clew --property=${names.join(",")}`)).split("\n");
  return Object.fromEntries(lines.map((line) => line.split("=")).filter((pair) => pair.length === 2));
}

async function checkService(machine: BootedMachine): Promise<string> {
  const { ActiveState, UnitFileState, MainPID } = await describe(machine);
  assert.deepEqual([ActiveState, UnitFileState], ["active", "enabled"]);
  const status = await machine.run(`cat /proc/${MainPID}/status; cat /proc/${MainPID}/limits`);
  const field = (pattern: RegExp) => pattern.exec(status)?.[1];
  assert.notEqual(field(/^Uid:\t(\d+)/m), "0");
  assert.equal(field(/^NoNewPrivs:\t(\d)/m), "1");
  assert.equal(field(/^CapBnd:\t(\w+)/m), "0000000000000000");
  assert.equal(field(/^Max core file size +(\d+)/m), "0");
  const score = /exposure level for clew.service: (\S+)/.exec(
    await machine.run("systemd-analyze security clew"),
  );
  assert.ok(Number(score?.[1]) <= 2, `exposure ${score?.[1]}`);
  return `exposure ${score?.[1]}, ${megabytes(Number(field(/^VmRSS:\s+(\d+)/m)) * 1024)} resident`;
}

/** A wrong setting ends the service once, at once, and says why. */
async function checkWrongSetting(machine: BootedMachine): Promise<string> {
  await machine.run("cp -p /etc/clew/clew.env /root; echo PORT=http >>/etc/clew/clew.env");
  await assert.rejects(machine.run("systemctl restart clew"));
  const { Result, NRestarts, ExecMainStatus } = await describe(machine);
  assert.deepEqual([Result, NRestarts, ExecMainStatus], ["exit-code", "0", "2"]);
  const [line = ""] = (await machine.run("journalctl --unit=clew --output=cat")).match(/ {2}- PORT .*/) ?? [];
  assert.notEqual(line, "");
  await machine.run("mv /root/clew.env /etc/clew; systemctl restart clew");
  return line;
}

/** Commands of root have the settings, secrets and data of the service, and write nowhere else. */
async function checkCommands(machine: BootedMachine): Promise<void> {
  await machine.run("umask 077; echo webhook-secret >/etc/clew/credentials/NOTION_WEBHOOK_TOKEN");
  await machine.run("systemctl restart clew");
  const config = await machine.run("clew config");
  assert.match(config, /^LOG_LEVEL +debug /m);
  assert.match(config, /^NOTION_WEBHOOK_TOKEN +\(not shown\) +\S+\/clew_NOTION_WEBHOOK_TOKEN$/m);
  assert.match(await machine.run("clew doctor"), /^ok +server/m);
  assert.match(await machine.run("clew backup copy.db && ls -l /var/lib/clew/"), /copy\.db/);
  await assert.rejects(machine.run("clew backup /tmp/copy.db"), /the file system is read-only/);
  await assert.rejects(machine.run("clew nonsense"), /unknown command/);
}

/** The pages that a token can read, in each workspace, once no sync runs. */
async function pagesOf(machine: BootedMachine, token: string): Promise<unknown> {
  for (;;) {
    // A system without a network may have nothing that knows the name localhost.
    const said = await machine.run(`CLEW_URL=http://127.0.0.1:8420 CLEW_TOKEN=${token} clew whoami`);
    const { workspaces } = JSON.parse(said) as {
      workspaces: { id: string; nodes: number; edges: number; sync: { state: string } }[];
    };
    assert.notEqual(workspaces.length, 0);
    if (workspaces.every(({ sync }) => sync.state === "idle"))
      return workspaces.map(({ id, nodes, edges }) => ({ id, nodes, edges }));
    await sleep(200);
  }
}

async function live(machine: BootedMachine, current: string, earlier: string): Promise<void> {
  const install = (file: string) => `DEBIAN_FRONTEND=noninteractive dpkg --force-confold -i /root/${file}`;
  const name = (path: string) => path.slice(folder.length + 1);
  for (const file of [current, earlier]) await machine.give(file);
  await machine.run("! command -v node && ! command -v git && ! command -v curl");

  await step("install, until it serves", async () => {
    await machine.run(`${install(name(earlier))} || apt-get install --fix-broken --yes --no-download`);
  });
  await step("the service", () => checkService(machine));
  await step("the tour", () => tour(machine));
  await machine.run("echo LOG_LEVEL=debug >>/etc/clew/clew.env");
  await step("commands of root", () => checkCommands(machine));
  await step("a wrong setting", () => checkWrongSetting(machine));
  const script = fileURLToPath(import.meta.resolve("./create-token.ts"));
  const token = (await machine.visit(process.execPath, script, address)).trim();
  const before = await pagesOf(machine, token);
  const { MainPID } = await describe(machine);

  await step("upgrade, until it serves", () => machine.run(install(name(current))).then(() => {}));
  assert.match(await machine.run("dpkg-query --show clew"), new RegExp(`\t${version}$`, "m"));
  const upgraded = await describe(machine);
  assert.equal(upgraded.ActiveState, "active");
  assert.notEqual(upgraded.MainPID, MainPID, "the earlier version still runs");
  assert.deepEqual(await pagesOf(machine, token), before);
  assert.match(
    await machine.run("cat /etc/clew/clew.env"),
    /^# Settings of an earlier version\.\nLOG_LEVEL=debug$/m,
  );
  await machine.run("test -e /etc/clew/clew.env.dpkg-dist");

  await step("remove", () => machine.run("dpkg --remove clew").then(() => {}));
  assert.equal((await describe(machine)).ActiveState, "inactive");
  await machine.run(
    "test ! -e /usr/lib/clew && test -s /var/lib/private/clew/clew.db && test -s /etc/clew/clew.env",
  );
  await step("install again, until it serves", () => machine.run(install(name(current))).then(() => {}));
  assert.deepEqual(await pagesOf(machine, token), before);

  await step("stop", () => machine.run("systemctl stop clew").then(() => {}));
  assert.equal((await describe(machine)).Result, "success");
  await step("purge", () => machine.run("dpkg --purge clew").then(() => {}));
  const left = await machine.run("find /etc /usr /lib /var /run -name '*clew*' -not -path '/var/lib/dpkg/*'");
  assert.equal(left, "");
}

try {
  const { current, earlier } = await buildPackages();
  await step("lintian", () => lint(current));
  const system = join(folder, "system");
  await step(`${debianRelease} is installed`, () =>
    installDebian(system, debianRelease, ["ca-certificates"]),
  );
  const machine = await step("boot", () => boot(system));
  try {
    await live(machine, current, earlier);
    console.log("The package was installed, upgraded, removed and purged.");
  } finally {
    await machine.stop();
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
