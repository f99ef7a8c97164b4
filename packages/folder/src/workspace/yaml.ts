import {
  type CollectionTag,
  isCollection,
  isScalar,
  parseDocument,
  type ScalarTag,
  type Tags,
  visit,
} from "yaml";
import { numberOr } from "./numbers.ts";

/** Aliases of one text. Each is looked for in the whole text, and its anchor may have aliases too. */
const maxAliases = 50;
/** Maps and lists within one another. */
const maxDepth = 100;

/**
 * Parses YAML of at most a number of bytes, in time that grows with them alone. Throws an error that says why a text is
 * not read.
 */
export function parseYaml(text: string, maxBytes: number): unknown {
  const tooLong = faultOfSize(text, maxBytes);
  if (tooLong !== null) throw new Error(tooLong);
  // The parser would compare each key with all others.
  const document = parseDocument(text, {
    logLevel: "error",
    prettyErrors: false,
    uniqueKeys: false,
    customTags: withWrittenNumbers,
  });
  const [error] = document.errors;
  if (error !== undefined) throw error;
  let aliases = 0;
  visit(document, {
    Alias(_, alias, around) {
      aliases += 1;
      if (aliases > maxAliases) throw new Error(`it has more than ${maxAliases} aliases`);
      // Such a value is endless, so it cannot be written as text.
      if (around.some((node) => node === alias.resolve(document))) throw new Error("a value contains itself");
    },
    Map(_, { items }, { length }) {
      assertDepth(length);
      const names = new Set<unknown>();
      for (const { key } of items) {
        if (isCollection(key)) throw new Error("a map or a list is no name");
        const name: unknown = isScalar(key) ? key.value : key;
        if (names.has(name)) throw new Error("Map keys must be unique");
        names.add(name);
      }
    },
    Seq(_, __, { length }) {
      assertDepth(length);
    },
  });
  return document.toJS({ maxAliasCount: 2 * maxAliases });
}

/** The reason why a text is too long to be parsed; null if it is not. */
export function faultOfSize(text: string, maxBytes: number): string | null {
  return Buffer.byteLength(text) > maxBytes ? `it is longer than ${maxBytes / 1024} KiB` : null;
}

/** Throws if a node has too many nodes around it, of which a map has two for each name: itself and a pair. */
function assertDepth(around: number): void {
  if (around > 2 * maxDepth) throw new Error(`it is nested more than ${maxDepth} deep`);
}

function withWrittenNumbers(tags: Tags): Tags {
  return tags.map((tag) => (typeof tag === "object" && isOfNumbers(tag) ? asWritten(tag) : tag));
}

function isOfNumbers(tag: ScalarTag | CollectionTag): tag is ScalarTag {
  return tag.collection === undefined && /:(?:int|float)$/.test(tag.tag);
}

function asWritten(tag: ScalarTag): ScalarTag {
  return {
    ...tag,
    resolve(written, onError, options) {
      const resolved = tag.resolve(written, onError, options);
      const value = isScalar(resolved) ? resolved.value : resolved;
      return typeof value === "number" && numberOr(written, value) === written ? written : resolved;
    },
  };
}
