import type { FastifyInstance, FastifyRequest } from "fastify";
import { visit } from "jsonc-parser";
import { ApiError } from "../model/api-error.ts";

/**
 * Reads JSON bodies strictly: no byte order mark, no comments, no duplicate fields.
 * RFC 8259, section 4, does not define duplicate names. Clew refuses them, since two readers could see two values.
 */
export function registerJsonBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>(
    "application/json",
    { parseAs: "buffer" },
    async (_: FastifyRequest, body: Buffer) => parseJson(body),
  );
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Parses a JSON text. Throws `ApiError` `invalid_json`, or `invalid_request` for a duplicate field. */
function parseJson(body: Uint8Array): unknown {
  let value: unknown;
  let duplicates: string[];
  try {
    const text = utf8.decode(body);
    value = JSON.parse(text);
    duplicates = duplicateFields(text);
  } catch (cause) {
    throw new ApiError("invalid_json", "The body is not valid JSON in UTF-8, or is nested too deep.", {
      cause,
    });
  }
  if (duplicates.length === 0) return value;
  throw new ApiError("invalid_request", "The body contains a field more than once.", {
    errors: duplicates.map((path) => ({ path, message: "is given more than once" })),
  });
}

/** Duplicate fields that are named: a path is as long as its field is deep, and a body has room for thousands. */
const maxDuplicates = 20;

/** JSON Pointers to the duplicate fields of the text, the first ones of many. */
function duplicateFields(text: string): string[] {
  const duplicates: string[] = [];
  const objects: Set<string>[] = [];
  visit(text, {
    onObjectBegin: () => void objects.push(new Set()),
    onObjectEnd: () => void objects.pop(),
    onObjectProperty: (name, _offset, _length, _line, _character, pathOf) => {
      const names = objects.at(-1);
      if (names?.has(name) && duplicates.length < maxDuplicates)
        duplicates.push([...pathOf(), name].map(pointerStep).join(""));
      names?.add(name);
    },
  });
  return [...new Set(duplicates)];
}

/** One step of a JSON Pointer (RFC 6901, section 3): the name of a field, or an index. */
export function pointerStep(step: string | number): string {
  return `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
