/** Times of one operation, in microseconds. */
export interface Timing {
  readonly operations: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** The time that the measurement of one figure may take. Slow operations are measured fewer times. */
const timeoutMs = Number(process.env.SECONDS ?? 15) * 1000;
const leastOperations = 5;

/**
 * Times `operation` once on each question, after a warm-up on other questions. Only promises are awaited: awaiting a
 * synchronous answer would add a turn of the event loop.
 *
 * @param clock Milliseconds.
 */
export async function time<Question>(
  questions: { readonly measured: readonly Question[]; readonly warmUp: readonly Question[] },
  operation: (question: Question) => unknown,
  clock: () => number = () => performance.now(),
): Promise<Timing> {
  const warmUntil = performance.now() + timeoutMs / 5;
  // A server runs for days: its code is compiled, and garbage of the start is collected.
  for (let warmed = 0; performance.now() < warmUntil; warmed += 1) {
    const question = questions.warmUp[warmed % questions.warmUp.length];
    if (question === undefined) break;
    const answer = operation(question);
    if (answer instanceof Promise) await answer;
  }
  const times: number[] = [];
  const until = performance.now() + timeoutMs;
  for (const question of questions.measured) {
    const began = clock();
    const answer = operation(question);
    if (answer instanceof Promise) await answer;
    times.push((clock() - began) * 1000);
    if (performance.now() > until && times.length >= leastOperations) break;
  }
  return timingOf(times);
}

function timingOf(times: readonly number[]): Timing {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) =>
    round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN);
  return { operations: times.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}

/** Rounds to three significant digits. */
const round = (figure: number) => Number(figure.toPrecision(3));

/** Sends a result to the parent process and exits. Prints it if there is no parent. */
export function tell(result: object): void {
  if (process.send) process.send(result, () => process.exit(0));
  else console.log(result);
}

/** Resident bytes of this process after garbage collection. */
export async function residentBytes(): Promise<number> {
  for (let turn = 0; turn < 5; turn += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return process.memoryUsage.rss();
}
