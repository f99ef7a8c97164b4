import { attention } from "micromark-core-commonmark";
import type { Construct, Extension, Resolver, Token } from "micromark-util-types";

/** No text that people write has more emphasis within one another, or more signs of it in one paragraph. */
const maxDepth = 100;
const maxSigns = 2_000;

const asterisk = 42;
const underscore = 95;
const tilde = 126;

/** Emphasis, of which what goes beyond the bounds is text: the parser takes quadratic time for signs and for depths. */
export function emphasisSyntax(): Extension {
  const construct = bounded({ ...attention, name: "boundedAttention" });
  return {
    text: { [asterisk]: construct, [underscore]: construct },
    insideSpan: { null: [construct] },
    // The parser's own.
    disable: { null: ["attention"] },
  };
}

/** The same for `~~text~~`, in the syntax of an extension that has it. */
export function boundStrikethrough(syntax: Extension): Extension {
  const own = [syntax.text?.[tilde] ?? []].flat().map(bounded);
  return { ...syntax, text: { ...syntax.text, [tilde]: own }, insideSpan: { null: own } };
}

function bounded(construct: Construct): Construct {
  const { resolveAll } = construct;
  if (resolveAll === undefined) return construct;
  const resolver: Resolver = (events, context) => {
    const signs = events.flatMap(([way, token]) => (way === "enter" && isSign(token) ? [token] : []));
    boundSigns(signs);
    return resolveAll(events, context);
  };
  return { ...construct, resolveAll: resolver };
}

const isSign = (token: Token) => token._open === true || token._close === true;

/** Has signs beyond the bounds neither begin nor end anything. Each two characters of a sign are a depth. */
function boundSigns(signs: readonly Token[]): void {
  let depth = 0;
  for (const [index, sign] of signs.entries()) {
    const depths = Math.ceil((sign.end.offset - sign.start.offset) / 2);
    const ends = sign._close === true && (depth > 0 || sign._open !== true);
    const isDeep = Math.max(depth, depths, ends ? 0 : depth + depths) > maxDepth;
    depth = Math.max(0, depth + (ends ? -depths : depths));
    if (!isDeep && index < maxSigns) continue;
    sign._open = false;
    sign._close = false;
  }
}
