import { mkdir } from "node:fs/promises";
import path from "node:path";
import { workerData } from "node:worker_threads";
import { ProviderError } from "@clew/provider";
import { answerCalls, lowerPriority, markWorkIn, sendNews } from "@clew/threads";
import { isRecord } from "../workspace/front-matter.ts";
import { leaveOutSlow } from "../workspace/left-out.ts";
import { openWorkspace } from "../workspace/open.ts";
import { FolderUnavailable } from "../workspace/scan.ts";
import { providerErrors } from "./errors.ts";
import { PageTexts } from "./page-texts.ts";
import { FolderReading } from "./read-folder.ts";
import type { FolderNews, FolderSettings, FolderThreadData, SentCall } from "./thread.ts";

// The thread in which a process reads its folders: it answers calls, each as it comes.

// `FolderThread` starts it with these.
const { mark, slowFiles } = workerData as FolderThreadData;
markWorkIn(mark);
leaveOutSlow(slowFiles);
// The program that it is inside comes first.
lowerPriority();

const texts = new PageTexts();

/** The owner's time at the latest call, and the thread's own then. */
let synchronised = { owner: Date.now(), own: performance.now() };
const clock = () => Math.floor(synchronised.owner + performance.now() - synchronised.own);

const folders = new Map<number, FolderReading>();

function folderOf({ folder, settings }: SentCall): FolderReading {
  const known = folders.get(folder) ?? newFolder(folder, settings);
  folders.set(folder, known);
  return known;
}

function newFolder(folder: number, settings: FolderSettings): FolderReading {
  const log = (level: "warn" | "error", message: string, details: object) =>
    send({ type: "log", folder, level, details, message });
  return new FolderReading(settings.path, {
    open: () => open(folder, settings),
    texts,
    onChange: (change) => send({ type: "change", folder, ...change }),
    onState(state) {
      if (state === "scans")
        log("warn", "no events of the folder arrive: changes show within a minute", { path: settings.path });
    },
    onFailure: (err) => log("error", "failed to look for changes in the folder", { err }),
  });
}

async function open(folder: number, { path: directory, workspaceId, memoryFile }: FolderSettings) {
  if (memoryFile !== null) await mkdir(path.dirname(memoryFile), { recursive: true, mode: 0o700 });
  return openWorkspace(directory, {
    clock,
    workspaceId,
    memoryFile,
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

answerCalls(async (call: SentCall) => {
  synchronised = { owner: call.now, own: performance.now() };
  try {
    const reading = folderOf(call);
    // `ThreadFolder.call` matches the input to the name.
    const method = reading[call.name].bind(reading) as (input: unknown) => unknown;
    return await method(call.input);
  } catch (error) {
    throw failureOf(error, call);
  }
}, providerErrors);

/** The reason of a failure, in words without paths. An error that is not about the folder is about one of its files. */
function failureOf(error: unknown, { folder }: SentCall): ProviderError {
  if (error instanceof ProviderError) return error;
  const isFolder = error instanceof FolderUnavailable || codeOf(error) !== null;
  const reason = codeOf(error instanceof FolderUnavailable ? error.cause : error) ?? "it is empty";
  const message = isFolder ? `failed to read the folder: ${reason}` : "failed to read a file of the folder";
  send({ type: "log", folder, level: "error", details: { err: error }, message });
  if (!isFolder) return new ProviderError("malformed", message);
  return new ProviderError("unavailable", message, {
    reason: reasons[reason] ?? `The folder cannot be read: ${reason}.`,
  });
}

/** The usual failures of a folder, in words for people. */
const reasons: Readonly<Record<string, string>> = {
  "it is empty": "The folder is empty.",
  ENOENT: "The folder does not exist.",
  EACCES: "Clew has no permission to read the folder.",
};

/** The code of an error of the system; null for any other error. */
function codeOf(error: unknown): string | null {
  return isRecord(error) && typeof error.code === "string" ? error.code : null;
}

function send(news: FolderNews): void {
  sendNews(news);
}
