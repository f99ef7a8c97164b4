/** A call of a client to the service, as the client saw it. Times are milliseconds of one monotonic clock. */
export interface Operation<Call, Outcome> {
  /** The client, which has one call under way at a time. */
  readonly client: string;
  /** The instance that was called. */
  readonly instance: string;
  readonly call: Call;
  /** Null if no answer came: the call may take effect at any time after it was sent, or never. */
  readonly outcome: Outcome | null;
  readonly called: number;
  /** `Infinity` without an answer. */
  readonly answered: number;
}

/** The behaviour of a key whose calls come one after the other. */
export interface Model<State, Call, Outcome> {
  readonly initial: State;
  /** The state after a call with this outcome; null if the call cannot have it in this state. */
  next(state: State, call: Call, outcome: Outcome): State | null;
  /** The state after a call that took effect and was not answered. */
  nextUnanswered(state: State, call: Call): State;
  /** Whether the call makes nothing possible: a history that is linearizable is so without it. */
  observes(call: Call): boolean;
}

/** A search that was given up: the history may be linearizable or not. */
export class Undecided extends Error {
  constructor(operations: number) {
    super(`The search in ${operations} operations was given up after ${maxSteps} steps.`);
    this.name = "Undecided";
  }
}

/** Steps of a search, each an order of some operations with the state that it leads to. */
const maxSteps = 300_000;

/**
 * Whether the operations on a key can be put into an order that the model permits and in which each takes effect between its call
 * and its answer. It is the search of Wing and Gong, which visits each set of operations with the same state once, as Lowe does. Throws
 * `Undecided` after 300,000 steps.
 */
export function isLinearizable<State, Call, Outcome>(
  history: readonly Operation<Call, Outcome>[],
  model: Model<State, Call, Outcome>,
): boolean {
  const operations = history.toSorted((one, other) => one.called - other.called);
  const answered = operations.filter(({ outcome }) => outcome !== null).length;
  const visited = new Set<string>();
  const waiting: Step<State>[] = [{ done: 0n, left: answered, first: 0, state: model.initial }];
  for (let step = waiting.pop(); step !== undefined; step = waiting.pop()) {
    const reached = observeAll(step, operations, model);
    if (reached.left === 0) return true;
    const visit = `${reached.done.toString(36)} ${JSON.stringify(reached.state)}`;
    if (visited.has(visit)) continue;
    if (visited.size === maxSteps) throw new Undecided(operations.length);
    visited.add(visit);
    // The last one is visited first: the earliest call is the likeliest.
    for (const index of enabled(reached, operations).reverse()) {
      const next = apply(reached, index, operations, model);
      if (next !== null) waiting.push(next);
    }
  }
  return false;
}

/** Operations in an order that the model permits, and the state that they lead to. */
interface Step<State> {
  /** A bit for each operation of the order. */
  readonly done: bigint;
  /** Answered operations that are not in the order yet. */
  readonly left: number;
  /** All operations before this one are in the order. */
  readonly first: number;
  readonly state: State;
}

type Operations<Call, Outcome> = readonly Operation<Call, Outcome>[];

const isDone = ({ done }: { done: bigint }, index: number) => ((done >> BigInt(index)) & 1n) === 1n;

/** The operations that may come next: no other one that is left was answered before they were called. */
function enabled<Call, Outcome>(step: Step<unknown>, operations: Operations<Call, Outcome>): number[] {
  const found: number[] = [];
  let firstAnswer = Number.POSITIVE_INFINITY;
  for (let index = step.first; index < operations.length; index += 1) {
    const operation = operations[index];
    if (operation === undefined || operation.called > firstAnswer) break;
    if (isDone(step, index)) continue;
    found.push(index);
    firstAnswer = Math.min(firstAnswer, operation.answered);
  }
  return found;
}

/** The step with one more operation; null if the model does not permit it, or it changes nothing and need not have happened. */
function apply<State, Call, Outcome>(
  step: Step<State>,
  index: number,
  operations: Operations<Call, Outcome>,
  model: Model<State, Call, Outcome>,
): Step<State> | null {
  const operation = operations[index];
  if (operation === undefined) return null;
  const { call, outcome } = operation;
  const isAnswered = outcome !== null;
  const state = isAnswered ? model.next(step.state, call, outcome) : model.nextUnanswered(step.state, call);
  if (state === null || (!isAnswered && isSame(state, step.state))) return null;
  const done = step.done | (1n << BigInt(index));
  let first = step.first;
  while (first < operations.length && isDone({ done }, first)) first += 1;
  return { done, left: step.left - (isAnswered ? 1 : 0), first, state };
}

/** Adds the observations that may come next and change nothing: those after them lose nothing by it. A write could be needed later. */
function observeAll<State, Call, Outcome>(
  start: Step<State>,
  operations: Operations<Call, Outcome>,
  model: Model<State, Call, Outcome>,
): Step<State> {
  let step = start;
  for (;;) {
    const before = step;
    for (const index of enabled(before, operations)) {
      const operation = operations[index];
      if (operation === undefined || !model.observes(operation.call)) continue;
      const next = apply(step, index, operations, model);
      if (next !== null && next.left < step.left && isSame(next.state, step.state)) step = next;
    }
    if (step === before) return step;
  }
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/**
 * The smallest part of a history that is not linearizable: it ends at the first answer that contradicts the earlier ones, and has
 * no observation that the contradiction does not need. Calls that were under way then are unanswered in it. Null if the history
 * is linearizable.
 */
export function smallestContradiction<State, Call, Outcome>(
  history: Operations<Call, Outcome>,
  model: Model<State, Call, Outcome>,
): Operations<Call, Outcome> | null {
  if (isLinearizable(history, model)) return null;
  const answers = history
    .map(({ answered }) => answered)
    .filter((time) => time !== Number.POSITIVE_INFINITY)
    .sort((one, other) => one - other);
  // The beginning of a linearizable history is linearizable, so the first cut that fails can be searched by halves.
  let [passes, fails] = [-1, answers.length - 1];
  while (fails - passes > 1) {
    const middle = Math.floor((passes + fails) / 2);
    if (isLinearizable(until(history, answers[middle] ?? 0), model)) passes = middle;
    else fails = middle;
  }
  let part = until(history, answers[fails] ?? 0);
  for (const operation of part) {
    // Without a call that makes others possible, a part could contradict itself for the lack of it.
    if (!model.observes(operation.call)) continue;
    const without = part.filter((each) => each !== operation);
    if (!isLinearizable(without, model)) part = without;
  }
  return part;
}

/** The knowledge of clients at a time: later calls are left out, and calls under way are unanswered. */
function until<Call, Outcome>(history: Operations<Call, Outcome>, time: number): Operations<Call, Outcome> {
  return history
    .filter(({ called }) => called <= time)
    .map((operation) =>
      operation.answered <= time
        ? operation
        : { ...operation, outcome: null, answered: Number.POSITIVE_INFINITY },
    );
}
