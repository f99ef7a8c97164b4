import pg from "pg";

type Method = (this: unknown, ...args: unknown[]) => unknown;

let pending = 0;

/** The number of connections and answers that this process awaits from PostgreSQL, since this module was imported. */
export const pendingAnswers = (): number => pending;

function count(prototype: object, name: string): void {
  const methods = prototype as Record<string, Method>;
  const original = methods[name];
  if (original === undefined) throw new Error(`pg has no ${name}()`);
  methods[name] = function (this: unknown, ...args: unknown[]) {
    const answer = original.apply(this, args);
    if (!(answer instanceof Promise)) return answer;
    pending += 1;
    return answer.finally(() => {
      pending -= 1;
    });
  };
}

count(pg.Pool.prototype, "connect");
count(pg.Client.prototype, "query");
