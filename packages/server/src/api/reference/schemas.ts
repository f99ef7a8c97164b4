import type { Message, Parameter, Schema } from "./document.ts";
import { html, joined, type Markup, type Part, prose, table } from "./html.ts";

/** Returns the last part of a reference, which is the name of what it leads to. */
export const nameOf = ($ref: string): string => $ref.split("/").at(-1) ?? "";

/** Returns the address of the page about a message, relative to `/docs/`. */
export const messageAddress = (name: string): string => `api/messages/${encodeURIComponent(name)}`;

/** Describes the type of a value, with links to the messages that it refers to. */
function typeOf(schema: Schema): Markup {
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref);
    return html`<a class="link" href="${messageAddress(name)}">${name}</a>`;
  }
  if (schema.anyOf !== undefined) return html`${joined(schema.anyOf.map(typeOf), " or ")}`;
  if (schema.const !== undefined) return html`<code>${String(schema.const)}</code>`;
  if (schema.enum !== undefined)
    return html`${joined(
      schema.enum.map((value) => html`<code>${String(value)}</code>`),
      ", ",
    )}`;
  if (schema.items !== undefined) return html`list of ${typeOf(schema.items)}`;
  const fields = Object.entries(schema.properties ?? {});
  if (fields.length > 0)
    return html`object of ${joined(
      fields.map(([name, field]) => html`<code>${name}</code>: ${typeOf(field)}`),
      ", ",
    )}`;
  return html`${[[schema.type ?? "any value"].flat().join(" or "), ...limitsOf(schema)].join(", ")}`;
}

/** Says which format a value has, and within which bounds it, or its length, is. */
function limitsOf(schema: Schema): string[] {
  const { format, minimum, maximum, minLength, maxLength } = schema;
  return [
    ...(typeof format === "string" ? [format] : []),
    ...boundsOf(minimum, maximum, ""),
    ...boundsOf(minLength, maxLength, " characters"),
  ];
}

function boundsOf(least: unknown, most: unknown, unit: string): string[] {
  if (least !== undefined && most !== undefined) return [`${least} to ${most}${unit}`];
  if (least !== undefined) return [`at least ${least}${unit}`];
  return most === undefined ? [] : [`at most ${most}${unit}`];
}

/** A name with its type below it. */
const named = (name: string, mark: string, schema: Schema) =>
  html`<code>${name}</code>${mark === "" ? "" : html` <span class="api-mark">${mark}</span>`}<span class="api-type">${typeOf(schema)}</span>`;

/** Lists the parameters of an operation. */
export function parametersTable(parameters: readonly Parameter[], caption: string): Markup {
  const rows = parameters.map(({ name, required, description = "", schema }) => [
    named(name, required ? "required" : "", schema),
    html`${prose(description)}${schema.default === undefined ? "" : html` (default: <code>${String(schema.default)}</code>)`}`,
  ]);
  return table(caption, ["Name", "Meaning"], rows);
}

/** Lists the fields of a message. */
export function fieldsTable({ properties = {}, required = [] }: Schema): Markup {
  const rows = Object.entries(properties).map(([field, value]) => [
    named(field, required.includes(field) ? "" : "optional", value),
    html`${prose(value.description ?? "")}`,
  ]);
  return table("Fields", ["Name", "Meaning"], rows);
}

/** Describes a body by its media types. */
export function bodyOf(content: Message["content"]): Part {
  return joined(
    Object.entries(content ?? {}).map(([mediaType, { schema = {} }]) =>
      mediaType === "application/json"
        ? typeOf(schema)
        : html`${typeOf(schema)} as <code>${mediaType}</code>`,
    ),
    ", or ",
  );
}
