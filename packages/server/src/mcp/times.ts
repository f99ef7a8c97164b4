/** A time of a tool as the operations read it: `today` and `yesterday` are days in UTC, all else stays. */
export function readTimeWord(text: string, now: number): string {
  const word = text.trim().toLowerCase();
  if (word !== "today" && word !== "yesterday") return text;
  return new Date(now - (word === "today" ? 0 : dayMs)).toISOString().slice(0, 10);
}

const dayMs = 86_400_000;
