import { codeMinutes, issueSignInCode } from "../auth/sign-in/code.ts";
import { withInstallation } from "./installation.ts";
import { CommandError, type Surroundings } from "./surroundings.ts";

/** Prints a one-time code for the sign-in page, beside the Clew that may serve (SIGN-12). */
export async function printSignInCode(surroundings: Surroundings): Promise<void> {
  await withInstallation(surroundings, async ({ config, database }) => {
    if (config.notionToken === null)
      throw new CommandError("A sign-in asks for a code only where NOTION_TOKEN is set.");
    surroundings.print(await issueSignInCode({ ...surroundings, database }));
    surroundings.print(`Good for ${codeMinutes} minutes, once, at ${config.dashboardUrl.href}`);
  });
}
