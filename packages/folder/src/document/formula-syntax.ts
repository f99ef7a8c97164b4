import type { Literal } from "mdast";
import type { CompileContext, Extension as TreeExtension } from "mdast-util-from-markdown";
import type { Code, Construct, Effects, Extension, State, Token } from "micromark-util-types";

/** `$…$`: an equation, in which nothing is a link. `value` has the signs at its ends. */
interface Formula extends Literal {
  type: "formula";
}

declare module "micromark-util-types" {
  interface TokenTypeMap {
    formula: "formula";
  }
}

declare module "mdast" {
  interface RootContentMap {
    formula: Formula;
  }
  interface PhrasingContentMap {
    formula: Formula;
  }
}

/** Line endings are below it. */
const tab = -2;
const space = 32;
const dollar = 36;
const digitZero = 48;
const digitNine = 57;
const openingBracket = 91;
const backslash = 92;
const closingBracket = 93;

/**
 * The micromark extension for formulas on one line, as docs/markdown.md has them: no space inside their ends, and no digit after them, so
 * that `$5 and $6` are prices. Brackets in them are in pairs, so that `[$a](a.md) [$b](b.md)` are links.
 */
export function formulaSyntax(): Extension {
  const construct: Construct = { name: "formula", tokenize: tokenizeFormula };
  return { text: { [dollar]: construct } };
}

function tokenizeFormula(effects: Effects, ok: State, nok: State): State {
  let brackets = 0;
  let endsInSpace = false;
  return start;

  function start(code: Code): State | undefined {
    effects.enter("formula");
    effects.consume(code);
    return first;
  }

  function first(code: Code): State | undefined {
    return code === dollar || isSpace(code) ? nok(code) : content(code);
  }

  function content(code: Code): State | undefined {
    if (code === null || code < tab) return nok(code);
    if (code === dollar) return end(code);
    if (code === openingBracket) brackets += 1;
    if (code === closingBracket) brackets -= 1;
    if (brackets < 0) return nok(code);
    endsInSpace = isSpace(code);
    effects.consume(code);
    return code === backslash ? escaped : content;
  }

  /** The sign after a backslash, which ends no formula. */
  function escaped(code: Code): State | undefined {
    if (code !== dollar && code !== backslash) return content(code);
    effects.consume(code);
    return content;
  }

  function end(code: Code): State | undefined {
    if (endsInSpace || brackets > 0) return nok(code);
    effects.consume(code);
    effects.exit("formula");
    return after;
  }

  function after(code: Code): State | undefined {
    return code !== null && code >= digitZero && code <= digitNine ? nok(code) : ok(code);
  }
}

function isSpace(code: Code): boolean {
  return code === null || code < 0 || code === space;
}

/** Turns micromark's formulas into nodes of the tree. */
export function formulaTree(): TreeExtension {
  return {
    enter: {
      formula(this: CompileContext, token: Token) {
        this.enter({ type: "formula", value: this.sliceSerialize(token) }, token);
      },
    },
    exit: {
      formula(this: CompileContext, token: Token) {
        this.exit(token);
      },
    },
  };
}
