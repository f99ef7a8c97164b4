import { addCopyButtons } from "../docs/copy-buttons.ts";
import { OperationFilter } from "./operation-filter.ts";
import { RunPanel } from "./run-panel.ts";
import { turnPages } from "./turn-pages.ts";

// Every page can be read without this script. It adds the search, the buttons that copy, and the form that runs a request.

const referenceUrl = new URL("api", document.baseURI);
const panel = new RunPanel();

/** Leads an address of the reference as it was, one page, to the page that has its place now. */
function followOldAddress(): void {
  if (location.pathname.replace(/\/$/, "") !== referenceUrl.pathname) return;
  const id = decodeURIComponent(location.hash.slice(1));
  const message = /^message-(\w+)$/.exec(id)?.[1];
  const topic = id.replace(/InSession$/, "");
  const address = message === undefined ? `api/${topic}` : `api/messages/${message}`;
  // Other places are on the overview.
  if (
    !document.querySelector(`#operations a[href="${CSS.escape(address)}"], #operations a[href="${address}"]`)
  )
    return;
  location.replace(new URL(topic === id ? address : `${address}#session`, document.baseURI));
}

followOldAddress();
addEventListener("hashchange", followOldAddress);

function serve(): void {
  addCopyButtons("#content .api-block:not(.api-result) > pre");
  panel.serve(document.querySelector<HTMLFormElement>("form.api-run"));
}

serve();
new OperationFilter().start();
turnPages(referenceUrl, serve);

document.querySelector("[data-skip]")?.addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("content")?.focus();
});
