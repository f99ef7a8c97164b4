import { count } from "../../words.ts";

export const mapWords = {
  title: "Map",
  workspace: "Workspace",
  regionsBy: "Regions by",
  byLink: "By link",
  byFolder: "By folder",
  colour: "Colour",
  colourBy: "Every page by",
  colourLists: "The pages of a list",
  colours: {
    region: "Region",
    folder: "Folder",
    database: "Database",
    edited: "Last edit",
    broken: "Broken links",
    stale: "Stale",
    orphan: "Orphaned",
  },
  legend: "Colours",
  /** An entry of a legend: a day for the last edit, and nothing for pages in no database. */
  entry(colouring: string, name: string): string {
    if (colouring === "edited") return `From ${name}`;
    if (name !== "") return name;
    return colouring === "database" ? "In no database" : mapWords.untitled;
  },
  allOthers: "All other pages",
  moreEntries: (number: number) => `${number.toLocaleString("en")} more`,
  showAll: "Show all",
  listCut: "The 1,000 most important of them are coloured.",
  search: "Find on the map",
  matchesLabel: "Matching pages",
  matches: (shown: number, total: number | null) =>
    shown === 0 ? "No page found" : `${count(total ?? shown, "page")} found`,
  noMatches: "No title matches",
  picture: "Show the map",
  table: "As a table",
  download: "Download PNG",
  downloadFailed: "This browser could not draw the picture.",
  fileName: (workspace: string) => `map ${workspace}`,
  more: "What the map shows",
  label: (pages: number) => `Map of ${count(pages, "page")}`,
  help: "Drag to move, scroll to zoom, click a page to select it and again to open it. By keyboard: arrows go to the next page in a direction, Tab through the pages that it is linked with, Enter opens, + and − zoom, Shift with arrows moves the map, 0 shows everything, Escape goes back.",
  fit: "Show everything",
  untitled: "Untitled",
  visited: (title: string, number: number, of: number) =>
    `${title || "Untitled"}, ${number} of ${count(of, "link")}`,
  topLevel: "At the top of the workspace",
  openPage: "Open",
  localGraph: "Local graph",
  findPath: "Find a path from here",
  links: (number: number, isCut: boolean) =>
    isCut ? `Linked with ${number} pages or more` : `Linked with ${count(number, "page")}`,
  noLinks: "It is linked with no other page.",
  close: "Close",
  cancel: "Cancel",
  pickEnd: "Choose the page at the other end: on the map, or with the search.",
  pathTitle: "Path",
  steps: (links: number) => count(links, "step"),
  noPath: "There is no path of six steps or less between the two.",
  pathInWords: "Show it in words",
  notOnMap: "That page is not on this map.",
  lit: (pages: number) =>
    pages === 0
      ? "Pages that the token reads glow here."
      : `${count(pages, "page")} that the token read ${pages === 1 ? "glows" : "glow"}.`,
  litCalls: "Its calls",
  litEnd: "Stop",
  making: "Drawing the map…",
  nothing: "No map yet",
  nothingConnected: "Connect a workspace, and its pages lie here as soon as they are read.",
  nothingYet: (workspace: string) =>
    `Clew is reading ${workspace}. The map appears when the first pages are read.`,
  nothingShared: (workspace: string) =>
    `Clew may read no page of ${workspace}: none is shared with it. Share pages, and they lie here as soon as they are read.`,
  shareMore: "Share pages",
  toWorkspaces: "What Clew reads",
  caption: "The regions of the map, and the regions within large ones",
  region: "Region",
  pages: "Pages",
  linkedMost: "Linked most with",
  linkedTo: (region: string, links: number) => `${region} (${links.toLocaleString("en")})`,
};
