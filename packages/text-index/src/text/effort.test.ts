import { test } from "node:test";
import { assertLinear } from "@clew/text/testing";
import { pageTokens } from "./page.ts";
import { termStrings } from "./terms.ts";

test("GRAPH-17: the steps to read a page grow with its length, whatever it contains", () => {
  assertLinear(
    (markdown) => pageTokens({ title: "", aliases: [], properties: [], markdown }, termStrings),
    (url) => /\/(?:text-index\/src\/text|text\/src)\/(?!.*\.test\.ts)/.test(url),
  );
});
