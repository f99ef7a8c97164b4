import type { Literal } from "mdast";
import type { CompileContext, Extension as TreeExtension } from "mdast-util-from-markdown";
import type { Code, Construct, Effects, Extension, State, Token } from "micromark-util-types";

/** `[[target|alias]]`, or `![[target]]` for an embed. `value` is the text between the brackets. */
interface WikiLink extends Literal {
  type: "wikiLink";
}

declare module "micromark-util-types" {
  interface TokenTypeMap {
    wikiLink: "wikiLink";
    wikiLinkMarker: "wikiLinkMarker";
    wikiLinkValue: "wikiLinkValue";
  }
}

declare module "mdast" {
  interface RootContentMap {
    wikiLink: WikiLink;
  }
  interface PhrasingContentMap {
    wikiLink: WikiLink;
  }
}

const exclamationMark = 33;
const openingBracket = 91;
const closingBracket = 93;

/** The micromark extension for wiki links. */
export function wikiLinkSyntax(): Extension {
  const construct: Construct = { name: "wikiLink", tokenize: tokenizeWikiLink };
  return { text: { [exclamationMark]: construct, [openingBracket]: construct } };
}

function tokenizeWikiLink(effects: Effects, ok: State, nok: State): State {
  let brackets = 0;
  let empty = true;
  return start;

  function start(code: Code): State | undefined {
    effects.enter("wikiLink");
    effects.enter("wikiLinkMarker");
    if (code !== exclamationMark) return open(code);
    effects.consume(code);
    return open;
  }

  function open(code: Code): State | undefined {
    if (code !== openingBracket) return nok(code);
    effects.consume(code);
    brackets += 1;
    if (brackets < 2) return open;
    effects.exit("wikiLinkMarker");
    effects.enter("wikiLinkValue");
    return value;
  }

  function value(code: Code): State | undefined {
    if (code === null || code < 0 || code === openingBracket) return nok(code);
    if (code === closingBracket) {
      if (empty) return nok(code);
      effects.exit("wikiLinkValue");
      effects.enter("wikiLinkMarker");
      return close(code);
    }
    empty = false;
    effects.consume(code);
    return value;
  }

  function close(code: Code): State | undefined {
    if (code !== closingBracket) return nok(code);
    effects.consume(code);
    brackets -= 1;
    if (brackets > 0) return close;
    effects.exit("wikiLinkMarker");
    effects.exit("wikiLink");
    return ok;
  }
}

/** Turns micromark's wiki links into nodes of the tree. */
export function wikiLinkTree(): TreeExtension {
  return {
    enter: {
      wikiLink(this: CompileContext, token: Token) {
        this.enter({ type: "wikiLink", value: "" }, token);
      },
    },
    exit: {
      wikiLinkValue(this: CompileContext, token: Token) {
        const node = this.stack.at(-1);
        if (node?.type === "wikiLink") node.value = this.sliceSerialize(token);
      },
      wikiLink(this: CompileContext, token: Token) {
        this.exit(token);
      },
    },
  };
}
