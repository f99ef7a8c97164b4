import type { Scope, ToolName } from "@clew/contract";
import { scopesOfTool } from "@clew/contract";
import {
  type GetPromptRequest,
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import { visibleText } from "../model/visible-text.ts";
import { oneLine } from "../operations/page-names.ts";

/*
 * Prompts: questions that people ask of a workspace, with the tools that answer them (AGT-6).
 */

interface PromptDefinition {
  readonly title: string;
  readonly description: string;
  /** The fields that people fill in; a page's title may be completed. */
  readonly arguments: Readonly<Record<string, { readonly description: string; readonly isPage?: true }>>;
  readonly tools: readonly ToolName[];
  readonly text: (given: (name: string) => string, product: string) => string;
}

const cite = "Name the pages that you rely on, with their links.";

const prompts = {
  brief_me: {
    title: "Brief me",
    description: "What the workspace says about a topic",
    arguments: { topic: { description: "A topic or the title of a page", isPage: true } },
    tools: ["search_pages", "read_page"],
    text: (given, product) =>
      `Brief me on ${given("topic")}, from my ${product} pages alone. Find the pages with search_pages, read the best ones with ` +
      `read_page, and follow their links where that helps. ${cite} Say what the pages do not answer.`,
  },
  what_changed: {
    title: "What changed?",
    description: "What was added, edited or removed lately",
    arguments: { since: { description: "24h, 7d, yesterday or a date" } },
    tools: ["recent_changes", "read_page"],
    text: (given, product) =>
      `What changed in my ${product} pages since ${given("since")}? List the changes with recent_changes, read what matters with ` +
      `read_page, and sum it up by subject. ${cite}`,
  },
  how_related: {
    title: "How are they related?",
    description: "How two pages are connected",
    arguments: {
      from: { description: "The title, link or id of a page", isPage: true },
      to: { description: "The title, link or id of another page", isPage: true },
    },
    tools: ["find_paths"],
    text: (given, product) =>
      `How are ${given("from")} and ${given("to")} related in my ${product} pages? Find the chains of links between them with ` +
      `find_paths, read what the pages say where the links are, and explain the connection. ${cite}`,
  },
} as const satisfies Record<string, PromptDefinition>;

type PromptName = keyof typeof prompts;

const definitions = Object.entries<PromptDefinition>(prompts);

/** The prompts whose tools a token with these scopes may use. */
export function promptsFor(holds: (...scopes: readonly Scope[]) => boolean): Prompt[] {
  return definitions
    .filter(([, { tools }]) => tools.every((tool) => holds(...scopesOfTool(tool))))
    .map(([name, { title, description, arguments: fields }]) => ({
      name,
      title,
      description,
      arguments: Object.entries(fields).map(([field, about]) => ({
        name: field,
        description: about.description,
        required: true,
      })),
    }));
}

/** Throws `ProtocolError` if there is no such prompt, or an argument is missing. */
export function getPrompt(
  { name, arguments: given = {} }: GetPromptRequest["params"],
  product: string,
): GetPromptResult {
  const { description, arguments: fields, text } = definitionOf(name);
  const missing = Object.keys(fields).filter((field) => (given[field] ?? "").trim() === "");
  if (missing.length > 0)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The prompt needs ${missing.join(" and ")}.`);
  const quoted = (field: string) =>
    JSON.stringify(
      visibleText(given[field] ?? "")
        .text.trim()
        .slice(0, maxChars),
    );
  return {
    description,
    messages: [{ role: "user", content: { type: "text", text: text(quoted, product) } }],
  };
}

const maxChars = 500;

/** Whether an argument of a prompt is a page, whose title can be completed. */
export function takesPage(name: string, field: string): boolean {
  const { arguments: fields } = definitionOf(name);
  return Object.hasOwn(fields, field) && fields[field]?.isPage === true;
}

function definitionOf(name: string): PromptDefinition {
  // Only own keys are names.
  if (Object.hasOwn(prompts, name)) return prompts[name as PromptName];
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${oneLine(name)}.`);
}
