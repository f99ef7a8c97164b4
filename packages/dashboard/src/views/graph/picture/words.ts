import { count } from "../../../words.ts";

export const pictureWords = {
  title: (page: string) => `Local graph of ${page}`,
  label: (page: string, nodes: number) => `Pages around ${page}: ${nodes} shown`,
  help: "Arrow keys move between pages, Enter opens one, + and − zoom, Space lists its links that are not shown, Esc goes back to the middle.",
  depth: "Steps",
  depths: { 1: "1 step", 2: "2 steps" },
  kinds: "Kinds of links",
  reset: "Fit the picture",
  download: "Download PNG",
  downloadFailed: "This browser could not draw the picture.",
  table: "The same as a table",
  rows: "Pages of the picture",
  page: "Page",
  link: "How it is linked",
  across: (links: number) => `${count(links, "link")} with other pages here`,
  steps: "Steps",
  center: "this page",
  folded: (hidden: number, page: string) => `${count(hidden, "more link")} of ${page}`,
  foldedList: "Links that the picture does not show",
  inPicture: "in the picture",
  unfold: "Add them to the picture",
  hidden: (hidden: number) => `${count(hidden, "more link")} not shown`,
  cut: (nodes: number) => `The picture shows the nearest ${count(nodes, "page")}; there are more.`,
  full: (most: number) => `The picture holds at most ${most} pages.`,
  alone: "This page is linked with no other.",
  regions: "What contains the pages",
  inRegion: (name: string) => `in ${name}`,
  elsewhere: "Elsewhere",
  group: (name: string, pages: number) => `${name} · ${pages.toLocaleString("en")}`,
  groupShown: (shown: number, pages: number) =>
    shown === 0 ? "a group of pages" : `${shown} of ${pages.toLocaleString("en")} pages shown`,
  groups: (pages: number) =>
    `${pages.toLocaleString("en")} pages are one step away: they fill the picture, in groups by what contains them. A second step has no room.`,
  groupsCut: (pages: number) =>
    `There are more than these ${pages.toLocaleString("en")}; the counts are those of the pages read.`,
  groupHelp:
    "Enter unfolds a group to its most important pages, and folds it again. Arrow keys move, + and − zoom, Esc goes back to the middle.",
  oneStepIsAll: "Two steps lead to no further page.",
  open: "Open the local graph",
};
