import { join } from "node:path";
import { call } from "../support/call.ts";
import { markdownPage, writeFiles } from "../support/markdown-folder.ts";
import { type Notion, settingsFor, startNotion } from "../support/notion.ts";
import { startRunning } from "../support/running-clew.ts";
import { signIn } from "../support/session.ts";
import { openStage, type Stage } from "../support/stage.ts";

/** Writes a workspace of three pages, which syncs at once. Returns its folder. */
export async function writeSmallWorkspace(stage: Stage): Promise<string> {
  const folder = join(stage.folder, "pages");
  await writeFiles(folder, {
    "_workspace.yml": "name: Labyrinth\nicon: 🧶\n",
    "ariadne.md": markdownPage("Ariadne", "She gave [Theseus](theseus.md) a ball of thread."),
    "minotaur.md": markdownPage("Minotaur", "Half of it was a bull."),
    "theseus.md": markdownPage(
      "Theseus",
      "He met the [[Minotaur]], and came back along the thread of [[Ariadne]].",
    ),
  });
  return folder;
}

/** The provider's route for the text of a page. */
export const textCalls = "GET /v1/pages/:page_id/markdown";

/** Starts a Clew over that workspace. Returns its PUBLIC_URL. */
export async function startSmallClew(stage: Stage): Promise<URL> {
  const clew = await startRunning({ directory: await writeSmallWorkspace(stage) });
  stage.defer(() => clew.stop());
  return clew.url;
}

/** A Clew over that workspace for all tests of a file. Each begins without accounts. */
export interface SharedClew {
  readonly url: URL;
  /**
   * Deletes the accounts that earlier tests have made. To be called before a test: after it, its pages are still open, and
   * their requests would be refused.
   */
  forgetPeople(): Promise<void>;
  close(): Promise<void>;
}

export async function startSharedClew(): Promise<SharedClew> {
  const stage = await openStage();
  const url = await startSmallClew(stage);
  return {
    url,
    async forgetPeople() {
      for (const person of ["Librarian", "Visitor"]) {
        const { access } = await signIn(url, { person });
        await call(url, "api/auth/me/", { method: "DELETE", token: access });
      }
    },
    close: () => stage.close(),
  };
}

/** Starts a Clew over that workspace with a separate provider, which can be made to fail. */
export async function startSmallClewWithNotion(stage: Stage): Promise<{ url: URL; notion: Notion }> {
  const notion = await startNotion(stage, await writeSmallWorkspace(stage));
  const clew = await startRunning({ env: settingsFor(notion) });
  stage.defer(() => clew.stop());
  return { url: clew.url, notion };
}
