import { referenceWords } from "./words.ts";

/**
 * Turns the pages of the reference without leaving the document: a token that was pasted stays in its memory, and the list
 * where it is. `onPage` serves the new text. A browser without the Navigation API loads each page as a whole.
 */
export function turnPages(referenceUrl: URL, onPage: () => void): void {
  if (!("navigation" in window)) return;
  navigation.addEventListener("navigate", (event) => {
    const url = new URL(event.destination.url);
    const isPage =
      url.pathname === referenceUrl.pathname || url.pathname.startsWith(`${referenceUrl.pathname}/`);
    const isOther = url.origin !== location.origin || !isPage || event.navigationType === "reload";
    if (!event.canIntercept || event.hashChange || event.downloadRequest !== null || isOther) return;
    // An old address on one page leads to another page.
    if (event.formData) return;
    event.intercept({
      focusReset: "manual",
      handler: async () => {
        try {
          show(await load(url, event.signal));
        } catch (error) {
          if (event.signal.aborted) throw error;
          showFailure();
        }
        onPage();
        document.querySelector<HTMLElement>("#content h1")?.focus({ preventScroll: true });
      },
    });
  });
}

/**
 * Loads a page as a document. The policy of the page forbids to parse a text as markup; a document that this request
 * parses runs no script, and is of this origin.
 */
function load(url: URL, signal: AbortSignal): Promise<Document> {
  const { promise, resolve, reject } = Promise.withResolvers<Document>();
  const request = new XMLHttpRequest();
  request.open("GET", url);
  request.responseType = "document";
  request.onload = () => {
    const page = request.responseXML;
    if (request.status === 200 && page?.querySelector("#content .api-crumbs, #content h1")) resolve(page);
    else reject(new Error(`${url.pathname}: ${request.status}`));
  };
  request.onerror = () => reject(new Error(`${url.pathname} cannot be loaded`));
  signal.addEventListener("abort", () => request.abort());
  request.onabort = () => reject(signal.reason);
  request.send();
  return promise;
}

function show(page: Document): void {
  document.title = page.title;
  const [content, next] = [document.getElementById("content"), page.getElementById("content")];
  content?.replaceChildren(...(next?.childNodes ?? []));
  const current = page.querySelector("#operations [aria-current]")?.getAttribute("href");
  for (const link of document.querySelectorAll("#operations a")) {
    if (link.getAttribute("href") === current) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** Says that the page could not be loaded. The address is the new one: reloading tries again. */
function showFailure(): void {
  const words = document.createElement("p");
  words.setAttribute("role", "alert");
  words.className = "notice notice-danger";
  words.textContent = referenceWords.unreachable;
  const retry = document.createElement("button");
  retry.type = "button";
  retry.className = "button button-small";
  retry.textContent = referenceWords.tryAgain;
  retry.addEventListener("click", () => location.reload());
  words.append(retry);
  const title = document.createElement("h1");
  title.tabIndex = -1;
  title.textContent = referenceWords.title;
  document.getElementById("content")?.replaceChildren(title, words);
}
