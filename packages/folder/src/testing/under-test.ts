import { randomBytes } from "node:crypto";
import { rename } from "node:fs/promises";
import type { Behavior, ProviderUnderTest, Sample } from "@clew/provider-contract";
import { createFolderProvider, type FolderOptions } from "../provider/provider.ts";
import { FolderThread } from "../provider/thread.ts";
import { SampleFolder } from "./sample-folder.ts";

/** A folder of Markdown as a provider, with a thread of its own. Its workspace has the id `notes`, so its grant is `folder notes`. */
export function testProvider(
  path: string,
  options: Partial<FolderOptions> = {},
): { provider: ReturnType<typeof createFolderProvider>; thread: FolderThread } {
  const thread = new FolderThread();
  const provider = createFolderProvider({
    slug: "notes",
    aliases: ["folder"],
    name: "notes",
    workspaceId: options.slug ?? "notes",
    path,
    stateDir: null,
    signInUrl: new URL("http://localhost:8420/folders/notes"),
    asksForCode: false,
    clock: Date.now,
    random: randomBytes,
    log: { warn: () => {}, error: () => {} },
    thread,
    ...options,
  });
  return { provider, thread };
}

/** A folder of Markdown with the sample. It is down while another name is in its place. */
export async function openFolder(sample: Sample): Promise<ProviderUnderTest> {
  const folder = await SampleFolder.write(sample);
  const { provider, thread } = testProvider(folder.directory, { clock: folder.clock });
  const away = `${folder.directory}-away`;
  let isAway = false;
  return {
    provider,
    accessToken: "folder notes",
    never: {
      "busy once": "a folder has no rate limit",
      busy: "a folder has no rate limit",
      garbled: "any text is Markdown",
      withdrawn: "nobody withdraws the grant of a folder",
    },
    rewrite: (title, text) => folder.rewrite(title, text),
    remove: (title) => folder.remove(title),
    tag: (title, tag) => folder.tag(title, tag),
    async behave(as: Behavior) {
      const goesAway = as === "down";
      if (goesAway && !isAway) await rename(folder.directory, away);
      if (!goesAway && isAway) await rename(away, folder.directory);
      isAway = goesAway;
    },
    async close() {
      await thread.close();
      await folder.close();
    },
  };
}
