import type { Config } from "../../config/config.ts";
import { readConfig } from "../../config/config.ts";
import { requireDataDirWritable } from "../../config/data-dir.ts";
import { ConfigError } from "../../config/read-settings.ts";
import { type DatabaseLocation, describeLocation } from "../../model/database-location.ts";
import { type FolderConfig, unreadableFolders } from "../../model/folders.ts";
import {
  type Condition,
  clockAdvice,
  describeDifference,
  diskAdvice,
  freeBytesAt,
  judgeClock,
  judgeFreeBytes,
} from "../../model/machine.ts";
import { reasonOf } from "../../model/thrown.ts";
import { databaseExists, openReader } from "../../store/database.ts";
import { newestVersion, schemaVersion } from "../../store/migrate.ts";
import { shared } from "../../store/migrations/shared.ts";
import { DatabaseError } from "../../store/port.ts";
import { operatorMessage } from "../failure.ts";
import { askReadiness } from "../health.ts";
import { type CliContext, CommandError } from "../installation.ts";
import { requireSecrets } from "../verify.ts";
import { type CheckResult, failed, linesOf, ok, warning } from "./check-result.ts";
import { inspectPublicView } from "./public-view.ts";

export interface DoctorContext extends CliContext {
  readonly fetch: typeof globalThis.fetch;
}

const providerTimeoutMs = 10_000;

/**
 * Says what is wrong with an installation, or with what is before it (`isPublic`), and what to do. Changes nothing. Throws
 * `CommandError` if a check failed.
 */
export async function doctor(context: DoctorContext, { public: isPublic = false }: { public?: boolean }) {
  const { print, fetch } = context;
  let count = 0;
  let failures = 0;
  const report = (result: CheckResult): void => {
    count += 1;
    if (result.state === "failed") failures += 1;
    for (const line of linesOf(result)) print(line);
  };
  const config = configOf(context, report);
  if (config !== null && isPublic) {
    const view = { config, fetch, monotonic: () => performance.now() };
    for (const result of await inspectPublicView(view)) report(result);
    print("Seen from this machine: a block by address or country does not show here.");
  } else if (config !== null) {
    for (const location of config.databaseLocations) report(await databaseResult(location, config, context));
    report(await diskResult(config));
    for (const folder of config.folders) report(await folderResult(folder));
    const { result, time } = await providerResult(config, fetch);
    if (result !== null) report(result);
    report(
      clockResult((context.clock ?? Date.now)(), {
        "the provider's": time,
        "the database's": await databaseTime(config),
      }),
    );
    report(await serverResult(config, fetch));
  }
  if (failures > 0) throw new CommandError(`${failures} of ${count} checks failed.`);
}

function configOf({ env }: DoctorContext, report: (result: CheckResult) => void): Config | null {
  try {
    const config = readConfig(env);
    report(ok("settings", `PUBLIC_URL is ${config.publicUrl.href}`));
    return config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    report(failed("settings", "Clew does not start with them", error.message));
    return null;
  }
}

async function databaseResult(
  location: DatabaseLocation,
  config: Config,
  { random }: DoctorContext,
): Promise<CheckResult> {
  const name = describeLocation(location);
  try {
    if (!(await databaseExists(location)))
      return warning(
        "database",
        `${name} does not exist yet`,
        "`clew serve` creates it. If there should be one, check DATA_DIR and DATABASE_URL.",
      );
    const reader = await openReader(location);
    try {
      const version = await schemaVersion(reader.read);
      const newest = newestVersion(shared);
      if (version > newest)
        return failed(
          "database",
          `${name} has schema ${version}, and this Clew knows ${newest}`,
          "A newer Clew has used it: run that version or a later one.",
        );
      if (version < newest)
        return warning(
          "database",
          `${name} has schema ${version}, and this Clew has ${newest}`,
          "`clew serve` migrates it when it starts, after a backup; so does `clew migrate`.",
        );
      const { count } = await requireSecrets(name, reader.read, config, random);
      return ok("database", `${name}, schema ${version}; the key opens its ${count} secrets`);
    } finally {
      await reader.close();
    }
  } catch (error) {
    const isAway = error instanceof DatabaseError && error.code === "unreachable";
    return failed(
      "database",
      operatorMessage(error) ?? reasonOf(error),
      isAway
        ? "Check that the database server runs and that DATABASE_URL names it."
        : "`clew verify` looks closer. `clew restore` puts a backup in its place.",
    );
  }
}

async function diskResult(config: Config): Promise<CheckResult> {
  const { dataDir } = config;
  try {
    await requireDataDirWritable(config);
    const free = await freeBytesAt(dataDir);
    const text = `${Math.floor(free / 1e6)} MB are free at ${dataDir}`;
    return judged(judgeFreeBytes(free), "disk", text, diskAdvice);
  } catch (error) {
    if (error instanceof ConfigError) return failed("disk", "Clew cannot write its data", error.message);
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      return warning("disk", `${dataDir} does not exist yet`, "`clew serve` creates it.");
    throw error;
  }
}

async function folderResult(folder: FolderConfig): Promise<CheckResult> {
  const name = `folder ${folder.slug}`;
  const [fault] = await unreadableFolders([folder]);
  if (fault === undefined) return ok(name, `${folder.path} can be read`);
  return failed(
    name,
    fault,
    "Correct FOLDERS, WORKSPACE_DIR or the command line, or let Clew's user read it.",
  );
}

/** The provider, null where folders alone are served, and the time that it tells; null if it tells none. */
async function providerResult(
  config: Config,
  fetch: typeof globalThis.fetch,
): Promise<{ readonly result: CheckResult | null; readonly time: number | null }> {
  if (config.provider.isDemo)
    return { result: ok("provider", "the demo workspace, in this machine"), time: null };
  if (!config.provider.isConnected) return { result: null, time: null };
  const { origin } = config.provider.apiUrl;
  try {
    const signal = AbortSignal.timeout(providerTimeoutMs);
    const response = await fetch(config.provider.apiUrl, { redirect: "manual", signal });
    await response.body?.cancel();
    const { status } = response;
    const result =
      status >= 500
        ? warning(
            "provider",
            `${origin} has trouble (status ${status})`,
            "Syncs are repeated until it is over.",
          )
        : ok("provider", `${origin} answers`);
    const date = Date.parse(response.headers.get("date") ?? "");
    return { result, time: Number.isNaN(date) ? null : date };
  } catch (error) {
    const reason = reasonOf(error instanceof Error && error.cause !== undefined ? error.cause : error);
    const advice = "Check this machine's network, its DNS, and whether its firewall lets https out.";
    return { result: failed("provider", `${origin} cannot be reached: ${reason}`, advice), time: null };
  }
}

/** The time of the database's server; null if there is none that answers. */
async function databaseTime({ databaseLocation }: Config): Promise<number | null> {
  if (databaseLocation.kind === "sqlite") return null;
  const reader = await openReader(databaseLocation);
  try {
    return await reader.serverTime();
  } catch {
    return null;
  } finally {
    await reader.close();
  }
}

/** Judges this machine's clock by other ones; a null one is not known. */
function clockResult(now: number, others: Readonly<Record<string, number | null>>): CheckResult {
  const shown = new Date(now).toISOString().replace(/\.\d+Z$/, "Z");
  const differences = Object.entries(others).flatMap(([whose, time]) =>
    time === null ? [] : [{ whose, ms: now - time }],
  );
  if (differences.length === 0) return ok("clock", `${shown}; there is no other clock to compare it with`);
  const text = differences.map(({ whose, ms }) => describeDifference(ms, whose)).join(", ");
  const worst = Math.max(...differences.map(({ ms }) => Math.abs(ms)));
  return judged(judgeClock(worst), "clock", `${shown}, ${text}`, clockAdvice);
}

function judged(state: Condition, name: string, text: string, advice: string): CheckResult {
  return state === "ok" ? ok(name, text) : { state, name, text, advice };
}

async function serverResult(config: Config, fetch: typeof globalThis.fetch): Promise<CheckResult> {
  const { address, fault } = await askReadiness(config, fetch);
  if (fault === null) return ok("server", `ready at ${address}`);
  return warning("server", `${address}: ${fault}`, "If Clew should run: start it, or look into its log.");
}
