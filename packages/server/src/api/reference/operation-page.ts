import { compactJson } from "@clew/dashboard";
import type { Example } from "../openapi/examples.ts";
import type { Document, Message, Operation, Parameter, Topic, Way } from "./document.ts";
import { html, joined, type Markup, nothing, type Part, paragraphs, prose, table } from "./html.ts";
import { curlLine } from "./request-line.ts";
import { runForm } from "./run-form.ts";
import { bodyOf, fieldsTable, messageAddress, nameOf, parametersTable } from "./schemas.ts";

/** The sources of a page besides the document. */
export interface PageSources {
  /** PUBLIC_URL without a trailing slash. */
  readonly url: string;
  readonly examples: Readonly<Record<string, readonly Example[]>>;
}

/** PUBLIC_URL of the Clew whose answers were recorded. */
const recordedUrl = "http://localhost:8420";

/** The lines of an answer that are shown before it is unfolded. */
const foldedLines = 24;

/** Renders the text of an operation's page. */
export function operationPage(topic: Topic, group: string, document: Document, sources: PageSources): Markup {
  const [way] = topic.ways;
  const { operation } = way;
  const examples = sources.examples[topic.id] ?? [];
  return html`<p class="api-crumbs"><a class="link" href="api">API reference</a> › ${group}</p>
<h1 tabindex="-1">${topic.title}</h1>
<p class="api-lead">${operation.summary}.${operation.deprecated === true ? html` <strong>Deprecated.</strong>` : nothing}</p>
${topic.ways.map((each) => route(each))}
${paragraphs(operation.description ?? "")}
${example(way, examples[0] ?? { title: "A request", parameters: {} }, sources.url, "h2")}
${runForm(topic, examples)}
${otherExamples(way, examples.slice(1), sources.url)}
${parametersSection(topic)}
${operation.requestBody === undefined ? nothing : html`<section aria-labelledby="body"><h2 id="body">Body</h2><p>${bodyOf(operation.requestBody.content)}</p>${fieldsOf(operation.requestBody, document)}</section>`}
${answersSection(operation, document)}
${errorsSection(operation, document)}
${elsewhere(examples)}`;
}

/** An address of an operation, and what opens it. */
function route({ credentials, method, path, operation }: Way): Markup {
  const id = credentials === "session" ? html` id="session"` : nothing;
  return html`<p class="api-route"${id}><span class="api-method">${method}</span> <code>${path}</code> <span class="api-credentials">${opener(credentials, operation)}</span></p>\n`;
}

function opener(credentials: Way["credentials"], { security }: Operation): Part {
  if (credentials === "none") return "no credentials";
  if (credentials === "session") return "access token of a session";
  const scopes = security[0]?.serviceToken ?? [];
  if (scopes.length === 0) return "service token with any scope";
  return html`service token with ${joined(
    scopes.map((scope) => html`<code>${scope}</code>`),
    " and ",
  )}`;
}

function example(
  way: Way,
  { title, ...request }: Omit<Example, "response"> & { response?: unknown },
  url: string,
  level: "h2" | "none",
): Markup {
  const { accept = "application/json", bytes, lines, response } = request;
  const heading = level === "h2" ? html`<h2 id="example">${title}</h2>` : nothing;
  const isPart = lines !== undefined || bytes !== undefined;
  const about =
    bytes === undefined
      ? "Some lines of the answer"
      : `The first ${bytes} bytes of the answer, as hexadecimal digits`;
  return html`<section class="api-example">${heading}
<div class="api-block"><pre><code>${curlLine(url, way, request)}</code></pre></div>
${response === undefined ? nothing : answer(response, isPart ? about : html`${statusOf(way.operation)} <code>${accept}</code>`, url)}</section>`;
}

/** The status of an answer that is no problem. */
const statusOf = ({ responses }: Operation): string =>
  Object.keys(responses).find((status) => /^[23]/.test(status)) ?? "";

/** An answer as it came: a text as it is, anything else as JSON. A long one is folded, and is whole without a script too. */
function answer(value: unknown, about: Part, url: string): Markup {
  const recorded = typeof value === "string" ? value : compactJson(value);
  const text = recorded.replaceAll(recordedUrl, url).trimEnd();
  const lines = text.split("\n").length;
  const isFolded = lines > foldedLines;
  const fold = isFolded ? html`<details><summary>All ${lines} lines</summary></details>` : nothing;
  return html`<p class="api-about">${about}</p><div class="api-block api-answer${isFolded ? " api-folded" : ""}"><pre><code>${text}</code></pre>${fold}</div>`;
}

function otherExamples(way: Way, examples: readonly Example[], url: string): Markup {
  return html`${examples.map(
    (each) =>
      html`<details class="api-other"><summary>${each.title}</summary>${example(way, each, url, "none")}</details>\n`,
  )}`;
}

/** The parameters of an operation; then those that one of the other ways has besides. */
function parametersSection({ ways }: Topic): Markup {
  const [{ operation }, ...others] = ways;
  const { parameters = [] } = operation;
  const known = new Set(parameters.map(({ name }) => name));
  const more: readonly Parameter[] = others.flatMap((way) =>
    (way.operation.parameters ?? []).filter(({ name }) => !known.has(name)),
  );
  if (parameters.length + more.length === 0) return nothing;
  return html`<section aria-labelledby="parameters"><h2 id="parameters">Parameters</h2>
${parametersTable(parameters, "Parameters")}
${more.length === 0 ? nothing : html`<p>With a session also:</p>${parametersTable(more, "Parameters with a session")}`}</section>`;
}

const resolve = (response: Message, { components }: Document): Message =>
  response.$ref === undefined ? response : (components.responses[nameOf(response.$ref)] ?? {});

const isProblem = ({ content = {} }: Message) => "application/problem+json" in content;

function answersSection({ responses }: Operation, document: Document): Markup {
  const answers = Object.entries(responses)
    .map(([status, response]) => ({ status, response: resolve(response, document) }))
    .filter(({ response }) => !isProblem(response));
  return html`<section aria-labelledby="answer"><h2 id="answer">Answer</h2>
${table(
  "Answers",
  ["Status", "Body"],
  answers.map(({ status, response: { content, description = "" } }) => [
    status,
    html`${bodyOf(content)} <span class="api-type">${prose(description)}</span>`,
  ]),
)}
${answers.map(({ response }) => fieldsOf(response, document))}</section>`;
}

/** The fields of a JSON body. */
function fieldsOf({ content = {} }: Message, { components }: Document): Markup {
  const { $ref } = content["application/json"]?.schema ?? {};
  if ($ref === undefined) return nothing;
  const name = nameOf($ref);
  const schema = components.schemas[name] ?? {};
  return html`<h3><a class="api-link" href="${messageAddress(name)}">${name}</a></h3>${paragraphs(schema.description ?? "")}${fieldsTable(schema)}`;
}

function errorsSection({ responses }: Operation, document: Document): Markup {
  const rows = Object.entries(responses)
    .map(([status, response]) => ({ status, response: resolve(response, document) }))
    .filter(({ response }) => isProblem(response))
    .map(({ status, response: { description = "" } }) => [
      status === "default" ? "other" : status,
      html`${prose(description)}`,
    ]);
  if (rows.length === 0) return nothing;
  return html`<section aria-labelledby="errors"><h2 id="errors">Errors</h2>
<p>Each is a <a class="link" href="${messageAddress("Problem")}">problem document</a>; <a class="link" href="api#problems">all codes</a>.</p>
${table("Errors", ["Status", "Codes"], rows)}</section>`;
}

/** The same as a call of a tool and as a command. */
function elsewhere(examples: readonly Example[]): Markup {
  const { tool, command } = examples[0] ?? {};
  if (tool === undefined && command === undefined) return nothing;
  const call = tool && { jsonrpc: "2.0", id: 1, method: "tools/call", params: tool };
  return html`<section aria-labelledby="elsewhere"><h2 id="elsewhere">The same elsewhere</h2>
${tool === undefined ? nothing : html`<p>For agents, the tool <code>${tool.name}</code> of the <a class="link" href="api/callTools">MCP server</a>:</p><div class="api-block"><pre><code>${compactJson(call)}</code></pre></div>`}
${command === undefined ? nothing : html`<p>On the <a class="link" href="clients">command line</a>:</p><div class="api-block"><pre><code>${command}</code></pre></div>`}</section>`;
}
