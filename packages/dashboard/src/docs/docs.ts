import { addCopyButtons } from "./copy-buttons.ts";
import { showOwnAddress } from "./own-address.ts";
import { startSearch } from "./search-field.ts";

// Every page can be read without this script. It adds the search and the buttons that copy code, and has examples name this Clew.

// `/docs` was the reference of the API, whose headings have ids that no page of the documentation has.
const isFirstPage =
  location.pathname.replace(/\/$/, "") === new URL(".", document.baseURI).pathname.replace(/\/$/, "");
const fragment = decodeURIComponent(location.hash.slice(1));
if (isFirstPage && fragment !== "" && document.getElementById(fragment) === null)
  location.replace(new URL(`api${location.hash}`, document.baseURI));

// A chosen appearance also chooses among the pictures; without one the browser does.
const { appearance } = document.documentElement.dataset;
if (appearance !== undefined)
  for (const source of document.querySelectorAll("source"))
    source.media = appearance === "dark" ? "all" : "not all";

showOwnAddress();
addCopyButtons();
startSearch();

// On a wide screen the lists are always there; in a narrow one, a link in a list has done what it was opened for.
for (const list of document.querySelectorAll<HTMLElement>("[popover]"))
  list.addEventListener("click", ({ target }) => {
    if (target instanceof HTMLAnchorElement && list.matches(":popover-open")) list.hidePopover();
  });
