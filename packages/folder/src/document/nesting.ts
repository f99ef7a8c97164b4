/** No text that people write has more quotes and lists in one another, or more brackets of one paragraph without their other end. */
const maxDepth = 100;

const container = "[ \\t]*(?:>|[-*+](?=[ \\t])|\\d{1,9}[.)](?=[ \\t]))";
const deepContainers = new RegExp(`^(?:${container}){${maxDepth}}[ \\t]*(?=[-*+>\\d])`, "gm");
const brackets = /\n[ \t]*(?=\n)|\\.|[[\]]/g;

/**
 * Escapes what is nested deeper than Markdown parsers can follow: they take quadratic time for each quote or bracket within
 * others, and run out of stack.
 */
export function boundNesting(source: string): string {
  return escapeDeepBrackets(source.replace(deepContainers, "$&\\"));
}

function escapeDeepBrackets(source: string): string {
  let open = 0;
  let unmatched = 0;
  return source.replace(brackets, (sign) => {
    if (sign === "[") {
      open += 1;
      return open > maxDepth ? "\\[" : sign;
    }
    if (sign === "]") {
      // The other end of a bracket that is escaped looks for one in vain too.
      const isDeep = open > maxDepth || unmatched >= maxDepth;
      if (open > 0) open -= 1;
      else unmatched += 1;
      return isDeep ? "\\]" : sign;
    }
    if (sign.startsWith("\n")) {
      open = 0;
      unmatched = 0;
    }
    return sign;
  });
}
