import { audiences } from "@clew/contract";
import fc from "fast-check";
import { anyPath } from "../../../packages/server/src/mcp/testing/any-request.ts";
import type { FuzzRequest } from "../ground.ts";
import { hostileText, mutated } from "../hostile.ts";
import { queryOf, requestGrammar, tryRequest } from "./requests.ts";

type Pair = readonly [string, string];

/** Parameters of any operation, some with other names, values or places. */
const changedPairs = (pairs: readonly Pair[]): fc.Arbitrary<readonly Pair[]> =>
  fc
    .tuple(
      ...pairs.map(([name, value]) =>
        fc.oneof(
          { weight: 3, arbitrary: fc.constant<readonly Pair[]>([[name, value]]) },
          {
            weight: 2,
            arbitrary: mutated(fc.constant(value)).map((text): readonly Pair[] => [[name, text]]),
          },
          {
            weight: 1,
            arbitrary: hostileText.map((text): readonly Pair[] => [
              [name, value],
              [name, text],
            ]),
          },
          {
            weight: 1,
            arbitrary: mutated(fc.constant(name)).map((text): readonly Pair[] => [[text, value]]),
          },
        ),
      ),
    )
    .map((some) => some.flat());

const requests = fc.tuple(anyPath, fc.constantFrom("token", "session")).chain(([target, as]) => {
  const [path = "", query = ""] = target.split("?");
  // A wait holds an answer back on purpose.
  const pairs = [...new URLSearchParams(query)].filter(([name]) => name !== "wait");
  const base = as === "token" ? audiences.v1 : audiences.session;
  return changedPairs(pairs).map((changed): FuzzRequest => {
    const sent = changed.filter(([name]) => name !== "wait");
    return { method: "GET", path: `${base}${path}?${queryOf(sent)}`, as };
  });
});

/** All parameters of all operations on the graph. */
export const filters = requestGrammar("filters", requests, tryRequest);
