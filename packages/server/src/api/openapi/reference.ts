import { problems } from "@clew/contract";

/** The parts of JSON Schema that the reference shows. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly [keyword: string]: unknown;
}

interface Response {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Readonly<Record<string, Media>>;
}

interface Media {
  readonly schema?: Schema;
  readonly examples?: Readonly<Record<string, Example>>;
}

interface Example {
  readonly summary: string;
  readonly description?: string;
  readonly value: unknown;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly description?: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: Response;
  readonly responses: Readonly<Record<string, Response>>;
}

interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly securitySchemes: Readonly<Record<string, { readonly description: string }>>;
  };
}

/** HTML that needs no escaping. Everything else that `html` is given is text. */
class Markup {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const escapeText = (text: string) => text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? "");

type Part = Markup | string | number | readonly Part[];

const sourceOf = (part: Part): string => {
  if (part instanceof Markup) return part.source;
  return typeof part === "object" ? part.map(sourceOf).join("") : escapeText(String(part));
};

/** A template for HTML that escapes what is put in. */
const html = (texts: TemplateStringsArray, ...parts: readonly Part[]) =>
  new Markup(texts.map((text, index) => text + sourceOf(parts[index] ?? "")).join(""));

const nothing = html``;

/** A text of the document; of Markdown it has code only. */
const prose = (text: string) =>
  text.split("`").map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : piece));

const nameOf = ($ref: string) => $ref.split("/").at(-1) ?? "";

/** Describes the type of a value, with links to the messages that it refers to. */
function typeOf(schema: Schema): Markup {
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref);
    return html`<a href="#message-${name}">${name}</a>`;
  }
  const branches = schema.anyOf;
  if (branches !== undefined)
    return html`${branches.map((branch, index) => [index === 0 ? "" : " or ", typeOf(branch)])}`;
  if (schema.const !== undefined) return html`<code>${String(schema.const)}</code>`;
  if (schema.enum !== undefined) {
    return html`${schema.enum.map((value, index) => [index === 0 ? "" : ", ", html`<code>${String(value)}</code>`])}`;
  }
  if (schema.items !== undefined) return html`list of ${typeOf(schema.items)}`;
  if (schema.properties !== undefined && Object.keys(schema.properties).length > 0) {
    const fields = Object.entries(schema.properties);
    return html`object of ${fields.map(([name, field], index) => [index === 0 ? "" : ", ", html`<code>${name}</code>: ${typeOf(field)}`])}`;
  }
  const types = [schema.type ?? "any value"].flat().join(" or ");
  return html`${[types, ...limitsOf(schema)].join(", ")}`;
}

const limitNames: Readonly<Record<string, string>> = {
  minimum: "at least",
  maximum: "at most",
  minLength: "characters, at least",
  maxLength: "characters, at most",
};

function limitsOf(schema: Schema): string[] {
  const limits = Object.entries(limitNames).flatMap(([keyword, words]) =>
    schema[keyword] === undefined ? [] : [`${words} ${String(schema[keyword])}`],
  );
  const { format } = schema;
  return [...(typeof format === "string" ? [format] : []), ...limits];
}

/** A table with a header for each row. */
function table(caption: string, heads: readonly string[], rows: readonly (readonly Part[])[]): Markup {
  if (rows.length === 0) return nothing;
  const cells = (row: readonly Part[]) =>
    row.map((cell, index) => (index === 0 ? html`<th scope="row">${cell}</th>` : html`<td>${cell}</td>`));
  return html`<table><caption>${caption}</caption><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${cells(row)}</tr>\n`)}</tbody></table>`;
}

function credentials({ security }: Operation): Part {
  const [kind, scopes = []] = Object.entries(security[0] ?? {})[0] ?? [];
  if (kind === undefined) return "No credentials.";
  if (kind === "session") return "Needs the access token of a session.";
  if (scopes.length === 0) return "Needs a service token with any scope.";
  const names = scopes.map((scope, index) => [index === 0 ? "" : " and ", html`<code>${scope}</code>`]);
  return html`Needs a service token with ${names}.`;
}

function parametersOf({ parameters = [] }: Operation): Markup {
  const rows = parameters.map(({ name, required, description = "", schema }) => [
    html`<code>${name}</code> ${required ? "(required)" : ""}`,
    typeOf(schema),
    html`${prose(description)}${schema.default === undefined ? "" : html` (default: <code>${String(schema.default)}</code>)`}`,
  ]);
  return table("Parameters", ["name", "type", "meaning"], rows);
}

function bodyOf(content: Response["content"]): Part {
  return Object.entries(content ?? {}).map(([mediaType, { schema = {} }], index) => [
    index === 0 ? "" : ", or ",
    typeOf(schema),
    mediaType === "application/json" ? "" : html` as <code>${mediaType}</code>`,
  ]);
}

function responsesOf({ responses }: Operation, { components }: Document): Markup {
  const rows = Object.entries(responses).map(([status, response]) => {
    const { description = "", content = {} } =
      response.$ref === undefined ? response : (components.responses[nameOf(response.$ref)] ?? {});
    const isProblem = "application/problem+json" in content;
    return [
      status === "default" ? "other" : status,
      isProblem ? html`<a href="#message-Problem">Problem</a>` : html`${bodyOf(content)}`,
      html`${prose(description)}`,
    ];
  });
  return table("Responses", ["status", "body", "meaning"], rows);
}

/** The examples of an operation: each a request, its body if it has one, and its response. */
function examplesOf({ requestBody, responses }: Operation): Markup {
  const bodies = requestBody?.content?.["application/json"]?.examples ?? {};
  const examples = Object.values(responses["200"]?.content ?? {}).flatMap((media) =>
    Object.entries(media.examples ?? {}),
  );
  return html`${examples.map(([name, { summary, description = "", value }]) => {
    const body = bodies[name] === undefined ? nothing : listing(bodies[name].value);
    return html`<details><summary>Example: ${summary}</summary><p>${prose(description)}</p>${body}${listing(value)}</details>\n`;
  })}`;
}

/** A value of an example: a text as it is, anything else as JSON. */
function listing(value: unknown): Markup {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return html`<pre tabindex="0">${text}</pre>`;
}

function operationSection(located: Located, document: Document): Markup {
  const { operation, method, path } = located;
  const { operationId, summary, description = "", deprecated = false, requestBody } = operation;
  return html`<section>
<h3 id="${operationId}">${summary}</h3>
<p class="route"><code>${method} ${path}</code></p>
${deprecated ? html`<p><strong>Deprecated.</strong></p>` : nothing}
${description === "" ? nothing : html`<p>${prose(description)}</p>`}
<p>${credentials(operation)} Operation id: <code>${operationId}</code>.</p>
${parametersOf(operation)}
${requestBody === undefined ? nothing : html`<p>Body: ${bodyOf(requestBody.content)}</p>`}
${responsesOf(operation, document)}
${examplesOf(operation)}
</section>
`;
}

function messageSection([name, schema]: [string, Schema]): Markup {
  const { properties = {}, required = [], description = "" } = schema;
  const rows = Object.entries(properties).map(([field, value]) => [
    html`<code>${field}</code>${required.includes(field) ? "" : " (optional)"}`,
    typeOf(value),
    html`${prose(value.description ?? "")}`,
  ]);
  return html`<section><h3 id="message-${name}">${name}</h3>
${description === "" ? nothing : html`<p>${prose(description)}</p>`}
${table("Fields", ["name", "type", "meaning"], rows)}</section>
`;
}

interface Located {
  readonly operation: Operation;
  readonly method: string;
  readonly path: string;
}

const anchorOf = (tag: string) => tag.toLowerCase().replaceAll(" ", "-");

/** The reference for people: one page of HTML without scripts, with everything that the OpenAPI document says. */
export function renderReference(written: object, { style, base }: { style: string; base: string }): string {
  // The plugin's types also cover documents of other versions.
  const document = written as Document;
  const located = Map.groupBy(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        operation,
        method: method.toUpperCase(),
        path,
      })),
    ),
    ({ operation }) => operation.tags[0] ?? "",
  );
  const { info, components } = document;
  const groups = document.tags.map((tag) => ({ ...tag, operations: located.get(tag.name) ?? [] }));
  const codes = Object.entries(problems).map(([code, { status, title }]) => [
    html`<code>${code}</code>`,
    status,
    title,
  ]);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${info.title} API reference</title>
<meta name="viewport" content="width=device-width">
<style>${new Markup(style)}</style>
</head>
<body>
<header>
<h1>${info.title} API reference</h1>
<p>${info.description}</p>
<p>The same as data: <a href="${base}/api/v1/openapi.json">OpenAPI 3.1</a>. For agents: <a href="${base}/llms.txt">llms.txt</a>.
Service tokens are created in the <a href="${base}/dashboard">dashboard</a>. The guides are in the <a href="${base}/docs/">documentation</a>.</p>
</header>
<nav aria-labelledby="contents">
<h2 id="contents">Contents</h2>
<ul>
<li><a href="#credentials">Credentials</a></li>
<li><a href="#problems">Problems</a></li>
${groups.map(
  ({ name, operations }) => html`<li><a href="#${anchorOf(name)}">${name}</a>
<ul>${operations.map(({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>\n`)}</ul></li>
`,
)}
<li><a href="#messages">Messages</a></li>
</ul>
</nav>
<main>
<section aria-labelledby="credentials"><h2 id="credentials">Credentials</h2>
<p>Send a token as <code>Authorization: Bearer …</code>, never in a URL.</p>
<ul>${Object.values(components.securitySchemes).map(({ description }) => html`<li>${prose(description)}</li>`)}</ul>
</section>
<section aria-labelledby="problems"><h2 id="problems">Problems</h2>
<p>Errors are <a href="#message-Problem">problem documents</a> (RFC 9457) with a <code>code</code> from this list.</p>
${table("Codes", ["code", "status", "meaning"], codes)}
</section>
${groups.map(
  ({ name, description, operations }) => html`<section aria-labelledby="${anchorOf(name)}">
<h2 id="${anchorOf(name)}">${name}</h2>
<p>${prose(description)}</p>
${operations.map((each) => operationSection(each, document))}</section>
`,
)}
<section aria-labelledby="messages"><h2 id="messages">Messages</h2>
${Object.entries(components.schemas).map(messageSection)}</section>
</main>
</body>
</html>
`.source;
}
