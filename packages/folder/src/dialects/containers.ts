import { escapeAttribute } from "../document/tag.ts";
import { outsideCode } from "./dialect.ts";

/** Components with these names become callouts. */
const elements: Readonly<Record<string, string>> = {
  note: "Note",
  info: "Info",
  tip: "Tip",
  important: "Note",
  warning: "Warning",
  caution: "Warning",
  danger: "Danger",
  details: "details",
};

/** A line that begins a container, `:::tip Title` or `:::note[Title]{…}`, or ends one. */
const fence = /^([ \t]*):{3,}[ \t]*(?:([a-z][\w-]*)[ \t]*(?:\[([^\]\n]*)\]|([^{\n]*))[^\n]*)?$/gm;

/**
 * Rewrites the containers of documentation sites as components, which become callouts and toggles (https://docusaurus.io/docs/markdown-features/admonitions,
 * https://vitepress.dev/guide/markdown#custom-containers, https://starlight.astro.build/guides/authoring-content/#asides).
 */
export function containersAsElements(body: string): string {
  if (!body.includes(":::")) return body;
  const open: string[] = [];
  const rewritten = outsideCode(body, (prose) =>
    prose.replace(fence, (line, indent: string, kind?: string, boxed?: string, rest?: string) => {
      if (kind === undefined) {
        const name = open.pop();
        return name === undefined ? line : `\n${indent}</${name}>\n`;
      }
      const name = elements[kind] ?? "Callout";
      const title = (boxed ?? rest ?? "").trim();
      open.push(name);
      if (title === "") return `${indent}<${name}>\n`;
      const head = name === "details" ? `<summary>${escapeAttribute(title)}</summary>` : `**${title}**\n`;
      return `${indent}<${name}>\n\n${indent}${head}\n`;
    }),
  );
  return `${rewritten}${open
    .toReversed()
    .map((name) => `\n</${name}>\n`)
    .join("")}`;
}
