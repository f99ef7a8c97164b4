import { setImmediate } from "node:timers/promises";
import { ProviderError, type TextReader } from "@clew/provider";
import { answerReadings, ReadingLanes, readingLimitMs, ThreadError } from "@clew/threads";
import type { textTasksFor } from "./text-tasks.ts";

/**
 * Tasks by name. They have no state and no I/O, and their inputs, results and dialects can be sent to a thread. They throw
 * `ProviderError` if a text cannot be read.
 */
type Tasks<Dialect> = Readonly<Record<string, (input: never, dialect: Dialect) => unknown>>;

/** Works on texts of any size and shape without blocking the event loop (SYNC-5). */
export interface TextParser<Known extends Tasks<Dialect>, Dialect> {
  /**
   * Runs a task on a text of `length` characters. Throws `ProviderError` `malformed` if the text cannot be read or takes too
   * long, and the signal's reason once it is aborted.
   */
  parse<Name extends keyof Known & string>(
    name: Name,
    input: Parameters<Known[Name]>[0],
    options: { readonly length: number; readonly dialect: Dialect; readonly signal: AbortSignal },
  ): Promise<ReturnType<Known[Name]>>;
}

export interface TextLimits {
  /** Shorter texts are parsed on the event loop: the worst takes a few milliseconds, less than a thread takes to start. */
  readonly maxInlineChars?: number;
  /** Milliseconds of processor time that a text of a length may take; `readingLimitMs` if left out. */
  readonly limitMs?: (length: number) => number;
  /** Threads for texts that take less than a second. */
  readonly quickThreads?: number;
}

/** A task, as it can be sent to a worker thread. */
interface TextOrder {
  readonly name: string;
  readonly input: unknown;
  readonly dialect: unknown;
}

/** A value, or why the text cannot be read; null if the error's message may contain the text. */
type TextOutcome = { readonly value: unknown } | { readonly failure: string | null };

/** Enough for the tokens of a text of 10 MB. */
const maxHeapMb = 512;

/**
 * Parses small texts at once, and large ones in threads that start on demand and end when idle. `worker` is the module of
 * such a thread, which calls `serveTextTasks` with the same tasks.
 */
export function createTextParser<Known extends Tasks<Dialect>, Dialect>(
  tasks: Known,
  worker: URL,
  { maxInlineChars = 16_384, limitMs = readingLimitMs, quickThreads = 2 }: TextLimits = {},
): TextParser<Known, Dialect> {
  const lanes = new ReadingLanes<TextOrder, TextOutcome>({
    module: worker,
    quickThreads,
    limitMs,
    maxHeapMb,
  });

  async function runInThread(order: TextOrder, length: number, signal: AbortSignal): Promise<TextOutcome> {
    // Copying a text to the thread blocks for milliseconds, so other work gets a turn first.
    await setImmediate();
    signal.throwIfAborted();
    try {
      return await lanes.read({ owner: signal, length, signal, callFrom: () => order });
    } catch (error) {
      signal.throwIfAborted();
      throw new ProviderError("malformed", `failed to parse the page's text${limitReached(error)}`, {
        cause: error,
      });
    }
  }

  return {
    async parse(name, input, { length, dialect, signal }) {
      signal.throwIfAborted();
      const order = { name, input, dialect };
      const outcome =
        length <= maxInlineChars ? runTextTask(tasks, order) : await runInThread(order, length, signal);
      if ("failure" in outcome)
        throw new ProviderError("malformed", outcome.failure ?? "failed to read the provider's answer");
      return outcome.value as ReturnType<Known[typeof name]>;
    },
  };
}

/** Says which limit of a thread a text has reached; empty if it is another error. */
function limitReached(error: unknown): string {
  if (!(error instanceof ThreadError)) return "";
  if (error.failure === "slow") return ": it took too much processor time";
  return error.failure === "memory" ? ": it took too much memory" : "";
}

/** Answers what `createTextParser` sends to the thread that this is called in. */
export function serveTextTasks<Dialect>(tasks: Tasks<Dialect>): void {
  answerReadings<TextOrder, TextOutcome>((order) => runTextTask(tasks, order));
}

function runTextTask<Dialect>(tasks: Tasks<Dialect>, { name, input, dialect }: TextOrder): TextOutcome {
  try {
    // `TextParser.parse` makes the order, and its signature matches the input and the dialect to the name.
    const task = tasks[name] as ((input: unknown, dialect: unknown) => unknown) | undefined;
    return { value: task?.(input, dialect) };
  } catch (error) {
    return { failure: error instanceof ProviderError ? error.message : null };
  }
}

/** Reads stored texts of one dialect with a parser. */
export function createTextReader<Dialect>(
  texts: TextParser<ReturnType<typeof textTasksFor<Dialect>>, Dialect>,
  dialect: Dialect,
  signal: AbortSignal,
): TextReader {
  const options = (markdown: string) => ({ length: markdown.length, dialect, signal });
  return {
    referencesIn: (markdown) => texts.parse("references", markdown, options(markdown)),
    titlesIn: (markdown) => texts.parse("shownTitles", markdown, options(markdown)),
    withTitles: (markdown, titles) => texts.parse("retitled", { markdown, titles }, options(markdown)),
  };
}
