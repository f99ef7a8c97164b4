/** Writes JSON for people: what fits into the columns stays on one line. */
export function formatJson(value: unknown, columns: number, indent = ""): string {
  const line = onOneLine(value);
  if (typeof value !== "object" || value === null || indent.length + line.length <= columns) return line;
  const deeper = `${indent}  `;
  const inner = Array.isArray(value)
    ? value.map((item) => formatJson(item, columns, deeper))
    : Object.entries(value).map(
        ([name, item]) => `${JSON.stringify(name)}: ${formatJson(item, columns, deeper)}`,
      );
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  return `${open}\n${deeper}${inner.join(`,\n${deeper}`)}\n${indent}${close}`;
}

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${onOneLine(item)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
