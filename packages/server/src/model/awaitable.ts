/**
 * A value that is there, or will be. What every request asks for is nearly always there: whoever waits for a promise
 * all the same pays for it with a turn of the microtask queue, at each step of the way.
 */
export type Awaitable<Value> = Value | Promise<Value>;

/** Goes on with the value: at once where it is there, otherwise when it is. */
export function whenThere<Value, Result>(
  value: Awaitable<Value>,
  work: (value: Value) => Awaitable<Result>,
): Awaitable<Result> {
  return value instanceof Promise ? value.then(work) : work(value);
}

/** All of the values, in their order. */
export function allThere<Value>(values: readonly Awaitable<Value>[]): Awaitable<readonly Value[]> {
  return values.some((value) => value instanceof Promise)
    ? Promise.all(values)
    : (values as readonly Value[]);
}
