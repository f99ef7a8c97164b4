import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { call } from "../support/call.ts";
import { markdownPage, writeFiles } from "../support/markdown-folder.ts";
import type { Notion } from "../support/notion.ts";
import { clientOf, createToken, readWorkspaces, signIn } from "../support/session.ts";

/** The work beside the questions of a token. */
export interface Chores {
  readonly counts: { signIns: number; edits: number; waits: number; refused: number };
  /** Rejects with the first fault. */
  readonly running: Promise<unknown>;
}

/** The place of the service that the chores use. */
interface Service {
  readonly url: URL;
  readonly token: string;
  readonly notion: Notion;
  readonly pages: string;
}

/** Milliseconds between two of a kind. */
const pauses = { signIns: 4_000, edits: 10_000 };

/** Signs in and out, creates, rotates and revokes tokens, edits a page and has it synced, and waits for changes, until the signal is aborted. */
export function startChores(service: Service, signal: AbortSignal): Chores {
  const counts = { signIns: 0, edits: 0, waits: 0, refused: 0 };
  /** Does some work again and again. Work that a busy Clew refuses counts as refused. */
  const repeat = async (kind: "signIns" | "edits" | "waits", pause: number, work: () => Promise<void>) => {
    while (!signal.aborted) {
      try {
        await work();
        counts[kind] += 1;
      } catch (error) {
        if (!/\b(429|503)\b/.test(String(error))) throw error;
        counts.refused += 1;
      }
      await sleep(pause, null, { signal }).catch(() => {});
    }
  };
  const running = Promise.all([
    repeat("signIns", pauses.signIns, () => liveOneSession(service)),
    repeat("edits", pauses.edits, () => editAndSync(service, counts.edits)),
    repeat("waits", 0, () => waitForChanges(service)),
  ]);
  return { counts, running };
}

/** Signs in, creates, rotates and revokes a token, and signs out. */
async function liveOneSession({ url }: Service): Promise<void> {
  const session = await signIn(url);
  const client = clientOf(url, session);
  const { id } = await createToken(url, session, "of a session");
  const rotated = await client.rotateServiceToken({ id, overlap_hours: 0 });
  await client.revokeServiceToken({ id: rotated.id });
  await client.signOut({ refresh: session.refresh });
}

async function editAndSync({ url, notion, pages }: Service, edit: number): Promise<void> {
  const text = markdownPage("Edited", `Edit ${edit} of this page.`, { updated: new Date().toISOString() });
  await writeFiles(join(pages, "."), { "edited.md": text });
  await notion.reload();
  const session = await signIn(url);
  const client = clientOf(url, session);
  for (const { id } of await readWorkspaces(url, session)) await client.startSync({ id });
  await client.signOut({ refresh: session.refresh });
}

async function waitForChanges({ url, token }: Service): Promise<void> {
  const now = await call<{ next_cursor: string }>(url, "api/v1/changes/?cursor=now", { token });
  if (now.status !== 200) throw new Error(`changes: ${now.status}`);
  const cursor = encodeURIComponent(now.body.next_cursor);
  const { status } = await call(url, `api/v1/changes/?cursor=${cursor}&wait=5`, { token });
  if (status !== 200) throw new Error(`changes with a wait: ${status}`);
}
