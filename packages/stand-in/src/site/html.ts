/** Text that is HTML already. */
export interface Html {
  readonly html: string;
}

type Part = string | number | Html | readonly Html[];

/** A template whose parts are escaped unless they are HTML themselves. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const inserted = parts.map(render);
  return { html: texts.reduce((whole, text, index) => whole + (inserted[index - 1] ?? "") + text) };
}

function render(part: Part): string {
  if (typeof part === "object") return "html" in part ? part.html : part.map((one) => one.html).join("");
  return String(part)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
