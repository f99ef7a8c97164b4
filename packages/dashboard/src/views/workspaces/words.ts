import { count } from "../../words.ts";

export const reportWords = {
  title: "Sync report",
  none: "No sync has ended yet.",
  kinds: { first: "First full sync", incremental: "Sync of what changed", full: "Full sync" },
  complete: "Complete: everything you share was read.",
  incomplete: "Not complete yet. The next sync tries the rest again.",
  failed: (reason: string | null) => `Stopped early. ${reason ?? ""}`,
  ended: "Ended",
  read: (pages: number) => `${count(pages, "page")} read`,
  removed: (pages: number) => `${count(pages, "page")} removed`,
  unchanged: "Nothing had changed.",
  failedPages: (pages: number) => `${count(pages, "page")} could not be read.`,
  failedMore: (pages: number) => `And ${pages.toLocaleString("en")} more.`,
  untitled: "Page without a title",
  unanswered: (requests: number) =>
    `The provider did not answer ${count(requests, "request")}, so something may be missing.`,
  details: "Which ones",
  notShared: (parts: number) =>
    `${count(parts, "part")} of your pages ${parts === 1 ? "is" : "are"} not shared with Clew.`,
  unresolved: (links: number) =>
    `${count(links, "link")} ${links === 1 ? "leads" : "lead"} to pages that you don’t share.`,
  missing: (links: number) =>
    `${count(links, "link")} ${links === 1 ? "leads" : "lead"} to pages that don’t exist.`,
  orphans: (pages: number) =>
    `${count(pages, "page")} ${pages === 1 ? "is" : "are"} inside a page that you don’t share.`,
  unsupported: (parts: number, types: string) =>
    `${count(parts, "part")} can’t be read through the provider’s API: ${types}.`,
  dialect: (tool: string) => `Links were read as ${tool} reads them.`,
  unread: (types: string) => `Not read: ${types}.`,
  named: (files: number) =>
    `${count(files, "file")} ${files === 1 ? "was" : "were"} left out or read only in part.`,
  share: "Share more pages",
};
