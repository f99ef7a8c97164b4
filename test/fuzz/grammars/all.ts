import type { Grammar } from "../grammar.ts";
import { cursor } from "./cursor.ts";
import { filters } from "./filters.ts";
import { folderNames } from "./folder-names.ts";
import { markdown } from "./markdown.ts";
import { mcp } from "./mcp.ts";
import { oauth } from "./oauth.ts";
import { providerJson } from "./provider-json.ts";
import { query } from "./query.ts";
import type { RequestGrammar } from "./requests.ts";
import { where } from "./where.ts";

/** The grammars whose inputs are requests, which can share a Clew. */
export const requestGrammars: readonly RequestGrammar[] = [query, where, filters, cursor, mcp, oauth];

/** All grammars. */
export const grammars: readonly Grammar[] = [...requestGrammars, markdown, folderNames, providerJson];
