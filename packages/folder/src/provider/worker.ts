import { mkdir } from "node:fs/promises";
import { platform, setPriority } from "node:os";
import path from "node:path";
import { parentPort } from "node:worker_threads";
import { ProviderError } from "@clew/provider";
import { isRecord } from "../workspace/front-matter.ts";
import { openWorkspace } from "../workspace/open.ts";
import { FolderReading } from "./read-folder.ts";
import type { FolderSettings, Sent, SentCall } from "./thread.ts";

// The thread in which a process reads its folders: it answers calls, each as it comes.

/** The niceness of this thread: where it competes for a core with one of niceness 0, it gets a quarter of the time. */
const niceness = 5;

// The program that it is inside comes first. Only Linux gives threads priorities of their own, and a sandbox may forbid it.
if (platform() === "linux") {
  try {
    setPriority(0, niceness);
  } catch {}
}

/** The owner's time at the latest call, and the thread's own then. */
let synchronised = { owner: Date.now(), own: performance.now() };
const clock = () => Math.floor(synchronised.owner + performance.now() - synchronised.own);

const folders = new Map<number, FolderReading>();

function folderOf({ folder, settings }: SentCall): FolderReading {
  const known = folders.get(folder) ?? new FolderReading(settings.path, () => open(folder, settings));
  folders.set(folder, known);
  return known;
}

async function open(folder: number, { path: directory, memoryFile }: FolderSettings) {
  if (memoryFile !== null) await mkdir(path.dirname(memoryFile), { recursive: true, mode: 0o700 });
  return openWorkspace(directory, {
    clock,
    linksFile: memoryFile,
    onWarning: ({ path, message }) =>
      send({
        type: "log",
        folder,
        level: "warn",
        details: { path, reason: message },
        message: "ignored a part of the folder",
      }),
  });
}

parentPort?.on("message", async (call: SentCall) => {
  synchronised = { owner: call.now, own: performance.now() };
  try {
    const reading = folderOf(call);
    // `ThreadFolder.call` matches the input to the name.
    const method = reading[call.name].bind(reading) as (input: unknown) => unknown;
    send({ type: "result", id: call.id, value: await method(call.input) });
  } catch (error) {
    send({ type: "failure", id: call.id, ...failureOf(error, call) });
  }
});

/** The reason of a failure, in words without paths. An error that is not the system's is a fault in one file's reading. */
function failureOf(error: unknown, { folder }: SentCall): Pick<ProviderError, "code" | "message"> {
  if (error instanceof ProviderError) return { code: error.code, message: error.message };
  const code = isRecord(error) && typeof error.code === "string" ? error.code : null;
  const message =
    code === null ? "failed to read a file of the folder" : `failed to read the folder (${code})`;
  send({ type: "log", folder, level: "error", details: { err: error }, message });
  return { code: code === null ? "malformed" : "unavailable", message };
}

function send(sent: Sent): void {
  parentPort?.postMessage(sent);
}
