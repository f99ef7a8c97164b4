/** What stopped the tour, in one line for the person who runs it. */
export function explainFault(error: unknown, clew: string): string {
  if (error instanceof TypeError && error.message === "fetch failed") {
    return `Nothing answers at ${clew}. Start Clew with \`npm start\`, or say where it runs: \`npm run tour -- --url http://localhost:8420\`.`;
  }
  const text = error instanceof Error ? error.message : String(error);
  return text.split("\n")[0] ?? text;
}
