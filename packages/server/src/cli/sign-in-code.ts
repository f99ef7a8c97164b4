import { codeMinutes, issueSignInCode } from "../auth/sign-in/code.ts";
import { type CliContext, CommandError } from "./context.ts";
import { withInstallation } from "./installation.ts";

/** Prints a one-time code for the sign-in page, beside the Clew that may serve (SIGN-12). */
export async function printSignInCode(context: CliContext): Promise<void> {
  await withInstallation(context, async ({ config, database }) => {
    if (config.notionToken === null)
      throw new CommandError("A sign-in asks for a code only where NOTION_TOKEN is set.");
    context.print(await issueSignInCode({ ...context, database }));
    context.print(`Good for ${codeMinutes} minutes, once, at ${config.dashboardUrl.href}`);
  });
}
