import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout } from "node:timers/promises";
import type { Client } from "@clew/client";
import type { Workspace } from "@clew/contract";
import { writeFiles } from "../support/markdown-folder.ts";
import { settingsFor, startNotion } from "../support/notion.ts";
import { recordTo } from "../support/recording-proxy.ts";
import { startRunning } from "../support/running-clew.ts";
import { clientOf, createToken, signIn } from "../support/session.ts";
import { stageOf } from "../support/stage.ts";

/** A Clew that has read a folder of Markdown through a stand-in, and a person who is signed in to it. */
export interface FreshStage {
  readonly url: URL;
  /** The person's client. */
  readonly person: Client;
  /** A client with a service token of every scope. */
  readonly agent: Client;
  /** The token of that client. */
  readonly token: string;
  readonly workspaceId: string;
  write(files: Readonly<Record<string, string>>): Promise<void>;
  remove(path: string): Promise<void>;
  workspace(): Promise<Workspace>;
  /** Waits until no sync runs or is queued. */
  synced(): Promise<Workspace>;
  /** Holds back the texts that Clew asks for; resolves when one is held. */
  holdTexts(): { readonly reached: Promise<void>; release(): void };
}

/** Serves these files to Clew and waits for the first sync. */
export async function freshStage(
  t: TestContext,
  files: Readonly<Record<string, string>>,
): Promise<FreshStage> {
  const stage = await stageOf(t);
  const folder = await mkdtemp(join(tmpdir(), "clew-fresh-"));
  stage.defer(() => rm(folder, { recursive: true }));
  const directory = join(folder, "notes");
  await mkdir(directory);
  await writeFiles(directory, files);
  const notion = await startNotion(stage, directory, { rateLimit: 0 });
  let gate = async () => {};
  const provider = await recordTo(notion.url, (path) =>
    path.includes("/markdown") ? gate() : Promise.resolve(),
  );
  stage.defer(() => provider.close());
  const clew = await startRunning({ env: settingsFor(notion, provider.url) });
  stage.defer(() => clew.stop());
  const { url } = clew;
  const signedIn = await signIn(url);
  const person = clientOf(url, signedIn);
  const workspace = async () => {
    const [first] = (await person.listWorkspaces()).items;
    if (first === undefined) throw new Error("There is no workspace");
    return first;
  };
  const synced = async () => {
    for (;;) {
      const now = await workspace();
      if (["idle", "failed"].includes(now.sync.state)) return now;
      await setTimeout(20);
    }
  };
  const { id: workspaceId } = await synced();
  const { token } = await createToken(url, signedIn, "agent");
  return {
    url,
    person,
    agent: clientOf(url, { access: token }),
    token,
    workspaceId,
    write: (some) => writeFiles(directory, some),
    remove: (path) => rm(join(directory, path), { recursive: true }),
    workspace,
    synced,
    holdTexts() {
      const reached = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      gate = async () => {
        reached.resolve();
        await released.promise;
      };
      return {
        reached: reached.promise,
        release() {
          gate = async () => {};
          released.resolve();
        },
      };
    },
  };
}
