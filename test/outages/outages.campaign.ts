import { openStage, type Stage } from "../support/stage.ts";
import { runExpiredCertificate } from "./expired-certificate.ts";
import { runFullDisk } from "./full-disk.ts";
import { runSilentProvider } from "./silent-provider.ts";
import { runSlowDisk } from "./slow-disk.ts";

/**
 * Takes away something that Clew needs, really: `ONLY=full-disk,slow-disk npm run campaign outages`. The disks are file systems that are mounted
 * for it, which takes the rights of root on Linux. Prints a line for each; the exit code is 1 if one was survived badly, or
 * could not be made.
 */
const outages: Readonly<Record<string, (stage: Stage) => Promise<string>>> = {
  "full-disk": runFullDisk,
  "slow-disk": runSlowDisk,
  "expired-certificate": runExpiredCertificate,
  "silent-provider": runSilentProvider,
};

const only = process.env.ONLY?.split(",") ?? Object.keys(outages);
for (const name of only) {
  const run = outages[name];
  if (run === undefined)
    throw new Error(`ONLY: there is no ${name} among ${Object.keys(outages).join(", ")}`);
  const stage = await openStage();
  try {
    console.log(`${name}: ${await run(stage)}`);
  } catch (error) {
    console.log(`${name}: failed`, error);
    process.exitCode = 1;
  } finally {
    await stage.close();
  }
}
