import fc from "fast-check";
import type { FuzzRequest } from "../ground.ts";
import { hostileText, mutated } from "../hostile.ts";
import { queryOf, requestGrammar, tryRequest } from "./requests.ts";

const words = [
  "secret",
  "page",
  "moon",
  "landing",
  "Page 2",
  "refrence",
  "reference 12",
  "日本語",
  "plan",
  "a",
  "shine",
];
const word = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...words) },
  { weight: 1, arbitrary: hostileText },
);

/** Words, phrases, exclusions and groups, as people and agents write them for search. */
const question = fc
  .array(
    fc
      .tuple(word, fc.constantFrom("", '"', "-", "+", "*", "~", "(", "title:", "OR ", "NOT ", "AND "))
      .map(([text, mark]) => {
        if (mark === '"') return `"${text}"`;
        if (mark === "(") return `(${text})`;
        return mark === "*" || mark === "~" ? text + mark : mark + text;
      }),
    { minLength: 1, maxLength: 12 },
  )
  .map((parts) => parts.join(" "));

/** The ways to search, by the parameter that has the question. */
const searches = [
  ["search", "q", ""],
  ["search", "q", "&sort=relevance&in=both&breadcrumb=true"],
  ["text", "q", "&limit=50"],
  ["context", "q", "&max_chars=100000"],
  ["context", "also", "&q=secret"],
  ["resolve", "page", ""],
  ["search", "by", ""],
] as const;

const requests = fc
  .tuple(fc.constantFrom(...searches), mutated(question), fc.constantFrom("token", "session"))
  .map(([[operation, name, rest], text, as]): FuzzRequest => {
    const base = as === "token" ? "/api/v1" : "/api/provider-graph";
    return { method: "GET", path: `${base}/${operation}/?${queryOf([[name, text]])}${rest}`, as };
  });

/** Questions of searches (GRAPH-2, GRAPH-20). */
export const query = requestGrammar("query", requests, tryRequest);
