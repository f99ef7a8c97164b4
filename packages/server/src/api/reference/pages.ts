import { problems } from "@clew/contract";
import type { Document, Group, Topic } from "./document.ts";
import { groupsOf } from "./document.ts";
import { escapeText, html, type Markup, type Part, paragraphs, prose, table } from "./html.ts";
import { operationPage, type PageSources } from "./operation-page.ts";
import { fieldsTable, messageAddress } from "./schemas.ts";

/** The places in the frame that a page fills. The dashboard's build writes them. */
const places = { title: "<!--title-->", list: "<!--list-->", content: "<!--content-->" } as const;

interface Frame extends PageSources {
  /** The page around the texts, with a comment in each place that is filled here. */
  readonly frame: string;
}

/** The reference of the API for people: a page for each operation and each message, and one that leads to them. */
export class Reference {
  readonly #document: Document;
  readonly #groups: readonly Group[];
  readonly #sources: Frame;

  constructor(written: object, sources: Frame) {
    // The plugin's types also cover documents of other versions.
    this.#document = written as Document;
    this.#groups = groupsOf(this.#document);
    this.#sources = sources;
  }

  /** The page that leads to the others. */
  overview(): string {
    return this.#page("api", "API reference", overview(this.#document, this.#groups));
  }

  /** The page of an operation; null if there is none of this id. */
  operation(id: string): string | null {
    for (const { name, topics } of this.#groups) {
      const topic = topics.find((each) => each.id === id);
      if (topic === undefined) continue;
      const content = operationPage(topic, name, this.#document, this.#sources);
      return this.#page(`api/${id}`, topic.title, content);
    }
    return null;
  }

  /** The page of a message; null if there is none of this name. */
  message(name: string): string | null {
    const { schemas } = this.#document.components;
    const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
    if (schema === undefined) return null;
    const content = html`<p class="api-crumbs"><a class="link" href="api">API reference</a> › Messages</p>
<h1 tabindex="-1">${name}</h1>
${paragraphs(schema.description ?? "")}
${fieldsTable(schema)}`;
    return this.#page(messageAddress(name), name, content);
  }

  #page(address: string, title: string, content: Markup): string {
    const { frame } = this.#sources;
    const current = `href="${escapeText(address)}"`;
    // A function: a text may have `$&`, which a replacement reads as a pattern.
    return frame
      .replace(places.title, () => escapeText(title))
      .replace(places.list, () =>
        this.#list().source.replace(current, () => `${current} aria-current="page"`),
      )
      .replace(places.content, () => content.source);
  }

  /** The list at the side. `data-words` is what its search field looks through. */
  #list(): Markup {
    const names = Object.keys(this.#document.components.schemas);
    return html`<ul class="api-list"><li><a href="api">Overview</a></li></ul>
${this.#groups.map(
  ({ name, topics }) => html`<section><h2>${name}</h2>
<ul class="api-list">${topics.map((topic) => html`<li data-words="${wordsOf(topic, this.#sources)}"><a href="api/${topic.id}">${topic.title}</a></li>\n`)}</ul></section>
`,
)}<details><summary>Messages</summary>
<ul class="api-list">${names.map((name) => html`<li data-words="${name.toLowerCase()}"><a href="${messageAddress(name)}">${name}</a></li>\n`)}</ul></details>`;
  }
}

/** All words by which an operation is found. */
function wordsOf({ id, title, ways }: Topic, { examples }: PageSources): string {
  const [{ operation }] = ways;
  const { tool, command } = examples[id]?.[0] ?? {};
  const names = (operation.parameters ?? []).map(({ name }) => name);
  const paths = ways.map(({ method, path }) => `${method} ${path}`);
  const scopes = ways.flatMap((way) => way.operation.security[0]?.serviceToken ?? []);
  const types = Object.keys(operation.responses["200"]?.content ?? {});
  return [
    id,
    title,
    operation.summary,
    ...paths,
    ...names,
    ...scopes,
    ...types,
    tool?.name ?? "",
    command ?? "",
  ]
    .join(" ")
    .toLowerCase();
}

function overview({ info, components }: Document, groups: readonly Group[]): Markup {
  const codes = Object.entries(problems).map(([code, { status, title }]): Part[] => [
    html`<code>${code}</code>`,
    html`${status} ${title}`,
  ]);
  return html`<h1 tabindex="-1">API reference</h1>
<p class="api-lead">${info.description}</p>
<p>The same as data: <a class="link" href="../api/v1/openapi.json">OpenAPI 3.1</a>. For language models: <a class="link" href="../llms.txt">llms.txt</a>.</p>
<section aria-labelledby="credentials"><h2 id="credentials">Credentials</h2>
<p>Send a token as <code>Authorization: Bearer …</code>, never in a URL. Service tokens are created in the <a class="link" href="../dashboard/tokens">dashboard</a>. The commands on these pages take theirs from a variable of the terminal:</p>
<div class="api-block"><pre><code>read -rs CLEW_TOKEN &amp;&amp; export CLEW_TOKEN</code></pre></div>
<ul class="api-bullets">${Object.values(components.securitySchemes).map(({ description }) => html`<li>${prose(description)}</li>`)}</ul>
</section>
${groups.map(
  ({ name, description, topics }) => html`<section><h2>${name}</h2>
<p>${prose(description)}</p>
<ul class="api-topics">${topics.map(
    ({ id, title, ways: [{ method, path, operation }] }) =>
      html`<li id="${id}"><a class="api-link" href="api/${id}">${title}</a> <code>${method} ${path}</code><span>${operation.summary}</span></li>\n`,
  )}</ul></section>
`,
)}<section aria-labelledby="problems"><h2 id="problems">Problems</h2>
<p>Errors are <a class="link" href="${messageAddress("Problem")}">problem documents</a> (RFC 9457) with a <code>code</code> from this list.</p>
${table("Codes", ["Code", "Meaning"], codes)}
</section>`;
}
