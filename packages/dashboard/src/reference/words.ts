/** Every text of the API reference's frame. A file of its own: its pages load nothing of the dashboard. */
export const referenceWords = {
  title: "API reference",
  skip: "Skip to the text",
  operations: "Operations",
  search: "Search the API reference",
  searchHint: "Search operations, paths, parameters",
  close: "Close",
  guides: "Guides",
  account: "Your account",
  found: (count: number) => (count === 1 ? "1 match" : `${count} matches`),
  nothingFound: "Nothing has all of these words.",
  running: "Waiting for the answer…",
  noToken: "Paste a service token first.",
  noSession: "No one is signed in in this browser.",
  otherPath: "A value of the path is missing, or is not possible there.",
  unreachable: "Clew can’t be reached.",
  tryAgain: "Try again",
  answered: (status: number, milliseconds: number, bytes: number) =>
    `${status} · ${Math.round(milliseconds)} ms · ${bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} kB`}`,
  broken: (bytes: number) => `The first ${Math.round(bytes / 1000)} kB of the answer`,
  bytes: (count: number) => `(the first ${count} bytes, as hexadecimal digits)`,
};
