/** A line of CSV (RFC 4180). */
export const csvLine = (values: readonly (string | number)[]) => `${values.map(csvField).join(",")}\r\n`;

/** The text that a spreadsheet takes for a formula, also after apostrophes, so that removing one restores the text. */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** A text that a spreadsheet would run as a formula gets an apostrophe in front of it, which spreadsheets do not show. */
function csvField(value: string | number): string {
  if (typeof value === "number") return String(value);
  const text = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
