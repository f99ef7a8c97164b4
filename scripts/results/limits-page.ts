import { campaignLimits, type Limits, testLimits } from "../../test/limits.ts";
import { plantedFaults } from "../../test/planted/planted-faults.ts";
import { programs } from "../programs.ts";
import { readResults } from "./results.ts";

/** Returns docs/limits-of-our-tests.md. */
export function writeLimitsPage(): string {
  const campaigns = Object.entries(campaignLimits);
  return `# Limits of our tests

What each kind of test shows, what it does not show, and what it found. *Planted* is a fault that the test contains or was given, and saw: a test that never failed proves little.
Where a day stands beside it, \`npm run campaign planted\` planted it.
*Nothing named* and *not recorded* mean that the history does not say. \`npm run docs\` writes this page from test/limits.ts and from the results that are kept beside the campaigns.

## In every run of the tests

${Object.entries(testLimits)
  .map(([name, limits]) => `### ${capitalised(name)}\n\n${describe(name, limits)}`)
  .join("\n\n")}

## Campaigns

${campaigns.map(([name, limits]) => `### ${name}\n\n${describe(name, limits)}\n- **Last whole run**: ${lastRun(name)}`).join("\n\n")}
`;
}

const describe = (name: string, { shows, doesNotShow, found, planted }: Limits) =>
  [
    `- **Shows**: ${shows}`,
    `- **Does not show**: ${doesNotShow}`,
    `- **Found**: ${found ?? "nothing named."}`,
    `- **Planted**: ${[planted ?? [], plantedIn(name)].flat().join(" ") || "not recorded."}`,
  ].join("\n");

/** The faults that `npm run campaign planted` gives a test, with the day on which it saw each last. */
function plantedIn(name: string): readonly string[] {
  const results = readResults("test/planted/planted.campaign.ts");
  return plantedFaults
    .filter(({ by }) => by === name)
    .map(({ name: fault }) => {
      const isAbout = (line: string) => line.slice(2).startsWith(`${name}: ${fault}: `);
      const last = results.findLast(({ printed }) => printed.some(isAbout));
      const verdict = last?.printed.find(isAbout)?.startsWith("✔") ? "seen" : "not seen";
      const when = last === undefined ? "not run yet" : `${verdict} on ${last.date} at ${last.commit}`;
      return `${capitalised(fault)}: ${when}.`;
    });
}

function lastRun(name: string): string {
  const file = programs.campaign?.[name]?.file;
  const last = file === undefined ? undefined : readResults(file).at(-1);
  if (last === undefined) return "not recorded.";
  const end = last.exitCode === 0 ? "passed" : "failed";
  return `${last.date} at ${last.commit}, \`${last.command}\`, ${last.minutes} min: ${end}.`;
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
