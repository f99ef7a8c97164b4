/** The most characters of a line. */
const width = 84;

/** Writes a value as JSON, with what fits into a line in one line. */
export function compactJson(value: unknown): string {
  return written(value, "", 0);
}

/** `used` is the number of characters that the line has before the value and after it, besides the indent. */
function written(value: unknown, indent: string, used: number): string {
  const flat = flatJson(value);
  if (typeof value !== "object" || value === null || indent.length + used + flat.length <= width) return flat;
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((item) => written(item, inner, 1))
    : Object.entries(value).map(([name, field]) => {
        const key = `${JSON.stringify(name)}: `;
        return key + written(field, inner, key.length + 1);
      });
  const [start, end] = isList ? "[]" : "{}";
  return `${start}\n${items.map((item) => inner + item).join(",\n")}\n${indent}${end}`;
}

function flatJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flatJson).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}: ${flatJson(field)}`);
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}
