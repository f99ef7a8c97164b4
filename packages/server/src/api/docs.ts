import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { docsDirectory } from "@clew/dashboard";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../config/config.ts";
import type { App } from "../http/server.ts";
import { ApiError } from "../model/api-error.ts";
import {
  encodings,
  isolated,
  open,
  pageHeaders,
  sendVariant,
  type Variant,
  variantOf,
} from "./built-files.ts";

const firstPage = "index.html";

/** The documentation, which is built with the dashboard: its pages, its pictures and the index of its search. */
export async function docsRoutes(app: App, { config }: { config: Pick<Config, "publicUrl"> }): Promise<void> {
  const entries = await readdir(docsDirectory, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(docsDirectory.length + 1));
  const files = new Map(names.map((name) => [name, new DocsFile(name, config)]));

  const send = async (request: FastifyRequest, reply: FastifyReply, name: string) => {
    const file = files.get(name);
    if (file === undefined) throw new ApiError("not_found", "The documentation has no such page.");
    if (extname(name) === ".html") reply.headers({ ...pageHeaders, ...isolated });
    reply.header("cache-control", "no-cache");
    return sendVariant(request, reply, name, await file.read());
  };
  app.get("/docs", open, (request, reply) => send(request, reply, firstPage));
  const anyPage = { ...open, config: { ...open.config, hasPages: true } };
  app.get<{ Params: { "*": string } }>("/docs/*", anyPage, (request, reply) => {
    const path = request.params["*"].replace(/\/$/, "");
    return send(request, reply, extname(path) === "" ? `${path}.html` : path);
  });
}

const compressions = {
  br: (content: Buffer) =>
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: promisify<Buffer, Buffer>(gzip),
};

/** A file of the documentation. It is read and compressed when it is first asked for. */
class DocsFile {
  readonly #name: string;
  readonly #config: Pick<Config, "publicUrl">;
  #variants: Promise<readonly Variant[]> | null = null;

  constructor(name: string, config: Pick<Config, "publicUrl">) {
    this.#name = name;
    this.#config = config;
  }

  read(): Promise<readonly Variant[]> {
    this.#variants ??= this.#make();
    return this.#variants;
  }

  async #make(): Promise<readonly Variant[]> {
    const content = await readFile(join(docsDirectory, this.#name));
    if (extname(this.#name) === ".webp") return [variantOf(null, content, [content.toString("base64")])];
    const text = this.#withBase(content.toString());
    const body = Buffer.from(text);
    const compressed = encodings.map(async (encoding) =>
      variantOf(encoding, await compressions[encoding](body), [text]),
    );
    return [...(await Promise.all(compressed)), variantOf(null, body, [text])];
  }

  /** All links begin at one base, which may be below a path. */
  #withBase(text: string): string {
    const base = `${this.#config.publicUrl.pathname.replace(/\/$/, "")}/docs/`;
    return extname(this.#name) === ".html" ? text.replace('href="./"', `href="${base}"`) : text;
  }
}
