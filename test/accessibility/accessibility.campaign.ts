import { launchBrowser } from "../support/browser.ts";
import { openStage } from "../support/stage.ts";
import { examiner, looks } from "./looks.ts";
import { walks } from "./walks.ts";

/**
 * Every page, dialog and state of the dashboard in light and dark, 360 and 1 440 pixels wide, examined by axe: `npm run
 * campaign accessibility`. WALK names one of the walks. Prints the states and every problem; the exit code is 1 if there
 * is one.
 */
const browser = await launchBrowser();
let examined = 0;
let problems = 0;
try {
  for (const { name, walk } of walks) {
    if (process.env.WALK !== undefined && process.env.WALK !== name) continue;
    const stage = await openStage();
    const { see, report } = examiner(() => looks);
    try {
      await walk(stage, browser, see);
    } catch (error) {
      report.problems.push(`the walk ended after "${report.states.at(-1)}": ${error}`);
    } finally {
      await stage.close();
      console.log(`${name}: ${report.states.join(", ")}`);
      for (const problem of report.problems) console.log(`✖ ${problem}`);
      examined += report.examined;
      problems += report.problems.length;
    }
  }
} finally {
  await browser.close();
}
console.log(`${examined} examined, ${problems} problems`);
process.exitCode = examined > 0 && problems === 0 ? 0 : 1;
