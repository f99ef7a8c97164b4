import { type Notion, settingsFor, startNotion } from "../support/notion.ts";
import { startRunning } from "../support/running-clew.ts";
import { writeSmallWorkspace } from "../support/small-workspace.ts";
import type { Stage } from "../support/stage.ts";

/** The provider's route for the text of a page. */
export const textCalls = "GET /v1/pages/:page_id/markdown";

/** Starts a Clew over a workspace of three pages. Returns its PUBLIC_URL. */
export async function startSmallClew(stage: Stage): Promise<URL> {
  const clew = await startRunning({ directory: await writeSmallWorkspace(stage) });
  stage.defer(() => clew.stop());
  return clew.url;
}

/** Starts a Clew over that workspace with a separate provider, which can be made to fail. */
export async function startSmallClewWithNotion(stage: Stage): Promise<{ url: URL; notion: Notion }> {
  const notion = await startNotion(stage, await writeSmallWorkspace(stage));
  const clew = await startRunning({ env: settingsFor(notion) });
  stage.defer(() => clew.stop());
  return { url: clew.url, notion };
}
