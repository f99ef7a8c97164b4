import path from "node:path";
import type { Clock, Provider, RandomBytes, Webhooks } from "@clew/provider";
import { pageOfAddress } from "./addresses.ts";
import { FolderReader } from "./reader.ts";
import { createSignIn, grantOf } from "./sign-in.ts";
import { createFolderTextParser } from "./text-tasks.ts";
import { type FolderLog, FolderThread } from "./thread.ts";

/** A folder of Markdown as a source. */
export interface FolderOptions extends Pick<Provider, "slug" | "aliases" | "name" | "asksForCode"> {
  /** The folder. */
  readonly path: string;
  /** The id of its workspace, which makes all ids in it its own, whatever its name and path are. */
  readonly workspaceId: string;
  /** A folder of Clew's own that keeps what is remembered of this one; null keeps it in memory. */
  readonly stateDir: string | null;
  /** The page of Clew's own on which a person opens the folder. It gets `state`, `redirect_uri` and, for one press, `code`. */
  readonly signInUrl: URL;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly log: FolderLog;
  /** The thread that reads the folder; by default one for all folders of the process. */
  readonly thread?: FolderThread;
}

/** The name under which the people of all folders are stored: who opens two folders is one user. */
const people = "folder";

const threadOfProcess = new FolderThread();

/** A folder of Markdown as Clew's provider. Nothing is read before a reader or a watch needs it. */
export function createFolderProvider(options: FolderOptions): Provider {
  const { slug, aliases, name, asksForCode, workspaceId, stateDir, clock } = options;
  const { thread = threadOfProcess } = options;
  const memoryFile = stateDir === null ? null : path.join(stateDir, "pages.json");
  const folder = thread.folder({ path: options.path, workspaceId, memoryFile }, options);
  const parser = createFolderTextParser();
  return {
    slug,
    aliases,
    people,
    name,
    product: name,
    standIn: false,
    setup: null,
    hasTags: true,
    sortsByEdit: true,
    asksForCode,
    pageOfUrl: pageOfAddress,
    ...createSignIn(options),
    webhooks: noWebhooks,
    reader(accessToken, { signal = new AbortController().signal, tags = false } = {}) {
      const isGranted = accessToken === grantOf(workspaceId);
      return new FolderReader({ folder, parser, time: clock, signal, tags, isGranted });
    },
    watch: (onChange) => folder.watch(onChange),
  };
}

const noWebhooks: Webhooks = { verify: () => false, offeredKey: () => null, event: () => null };

export { grantOf, readWorkspaceIdentity } from "./sign-in.ts";
