import type { Example } from "../openapi/examples.ts";
import type { Parameter, Topic, Way } from "./document.ts";
import { html, type Markup, nothing, type Part } from "./html.ts";

/**
 * The form that sends a request of the reader's own to this server. Only a GET that answers at once has one. It is hidden
 * until a script serves it; without one it could do nothing, since the policy forbids forms to be sent.
 */
export function runForm({ ways }: Topic, examples: readonly Example[]): Markup {
  const [first] = ways;
  if (!ways.every(isRunnable)) return nothing;
  const values = examples[0]?.parameters ?? {};
  const parameters = first.operation.parameters ?? [];
  const isShown = ({ name, required }: Parameter) => required || name in values;
  const [shown, more] = [parameters.filter(isShown), parameters.filter((each) => !isShown(each))];
  const fields = (all: readonly Parameter[]) =>
    html`<div class="api-fields">${all.map((parameter) => field(parameter, values[parameter.name]))}</div>`;
  const mediaTypes = Object.keys(first.operation.responses["200"]?.content ?? {});
  return html`<form class="api-run card" hidden aria-labelledby="run">
<h2 id="run">Run it here</h2>
${credentials(ways)}
${shown.length === 0 ? nothing : fields(shown)}
${more.length === 0 ? nothing : html`<details><summary>${more.length === 1 ? "1 more parameter" : `${more.length} more parameters`}</summary>${fields(more)}</details>`}
${
  mediaTypes.length < 2
    ? nothing
    : html`<label class="api-field"><span>Answer as</span><select class="input" data-accept>${mediaTypes.map((type) => html`<option>${type}</option>`)}</select></label>`
}
<p class="api-actions"><button type="submit" class="button button-primary">Run</button> <span role="status"></span></p>
<div class="api-block api-result" hidden><pre role="region" tabindex="0" aria-label="Answer to the request"><code></code></pre></div>
</form>`;
}

/** Whether a request changes nothing, and has an answer that ends and that a page may read. */
function isRunnable({ method, operation: { responses } }: Way): boolean {
  const types = Object.keys(responses["200"]?.content ?? {});
  return method === "GET" && types.length > 0 && !types.includes("text/event-stream");
}

/** The choice of the credentials. Nothing is sent before one of them is there. */
function credentials(ways: Topic["ways"]): Part {
  const radio = ({ credentials: kind, path }: Way, index: number, words: string) =>
    html`<label class="api-choice"><input type="radio" name="way" value="${kind}" data-path="${path}"${index === 0 ? html` checked` : nothing}> ${words}</label>`;
  const choices = ways.map((way, index) => {
    if (way.credentials === "service-token") return radio(way, index, "A service token");
    return radio(way, index, way.credentials === "session" ? "My session in this browser" : "No credentials");
  });
  const hasToken = ways.some((way) => way.credentials === "service-token");
  return html`<fieldset class="api-choices"><legend class="sr-only">Credentials</legend>${choices}</fieldset>
${hasToken ? html`<label class="api-field api-token"><span>Service token</span><input class="input" type="text" data-token autocomplete="off" autocapitalize="off" spellcheck="false" data-1p-ignore data-lpignore="true" placeholder="svc_…" maxlength="200" aria-describedby="token-hint"></label><p class="api-hint" id="token-hint">It stays in the memory of this page, and goes to this server alone.</p>` : nothing}`;
}

function field(
  { name, in: place, required, schema }: Parameter,
  value: Example["parameters"][string] | undefined,
): Markup {
  const lines = Array.isArray(value) ? value : null;
  const data = html`data-name="${name}" data-in="${place}"${required ? html` required` : nothing}`;
  const choices = schema.type === "boolean" ? ["true", "false"] : (schema.enum?.map(String) ?? null);
  const control = (): Markup => {
    if (choices !== null)
      return html`<select class="input" ${data}><option value=""></option>${choices.map((choice) => html`<option${choice === String(value) ? html` selected` : nothing}>${choice}</option>`)}</select>`;
    if (
      lines !== null ||
      schema.type === "array" ||
      schema.anyOf?.some(({ type }) => type === "array") === true
    )
      return html`<textarea class="input" rows="${Math.max(1, lines?.length ?? 1)}" ${data} placeholder="one a line">${(lines ?? [value ?? ""]).join("\n")}</textarea>`;
    return html`<input class="input" type="text" autocomplete="off" spellcheck="false" ${data} value="${String(value ?? "")}">`;
  };
  return html`<label class="api-field"><span><code>${name}</code></span>${control()}</label>`;
}
