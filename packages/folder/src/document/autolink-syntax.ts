import type { Construct, Extension, TokenizeContext } from "micromark-util-types";

/**
 * Addresses without markup that are looked for in one paragraph. For each, the parser may look through all that stands before it.
 * Further ones are found in the text of the tree, where emphasis ends them.
 */
const maxAddresses = 1_000;

/**
 * GitHub's Markdown without the part of the parser that looks for an email address at each letter, which took half of the
 * time: the tree's extension finds them in texts. Web addresses are looked for up to a bound.
 */
export function boundAutolinks(syntax: Extension): Extension {
  const found = new WeakMap<TokenizeContext, number>();
  const text = Object.entries(syntax.text ?? {}).map(([code, constructs = []]) => {
    const kept = [constructs].flat().filter(({ name }) => name !== "emailAutolink");
    return [code, kept.map((construct) => bounded(construct, found))] as const;
  });
  return { ...syntax, text: Object.fromEntries(text) };
}

function bounded(construct: Construct, found: WeakMap<TokenizeContext, number>): Construct {
  if (construct.name !== "wwwAutolink" && construct.name !== "protocolAutolink") return construct;
  return {
    ...construct,
    tokenize(effects, ok, nok) {
      const count = (found.get(this) ?? 0) + 1;
      found.set(this, count);
      return count > maxAddresses ? nok : construct.tokenize.call(this, effects, ok, nok);
    },
  };
}
