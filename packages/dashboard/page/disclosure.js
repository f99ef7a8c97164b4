import { explain } from "./api.js";
import { element } from "./element.js";
import { notice } from "./notice.js";

/**
 * Something that is read when somebody wants to see it.
 * @param {string} title
 * @param {(body: HTMLElement) => Promise<void>} fill
 * @returns {{ view: HTMLDetailsElement, renew: () => void }} `renew` says that there may be something else to read
 */
export function disclosure(title, fill) {
  let body = element("div", {}, element("p", { class: "quiet" }, "Reading…"));
  let isRead = false;
  const view = element("details", { ontoggle: () => read() }, element("summary", {}, title), body);
  const read = async () => {
    if (isRead || !view.open) return;
    isRead = true;
    // What was read before stays until there is something to put in its place.
    const fresh = element("div");
    await fill(fresh).catch((error) => {
      fresh.replaceChildren(notice(explain(error), { label: "Try again", run: renew }));
    });
    body.replaceWith(fresh);
    body = fresh;
  };
  const renew = () => {
    isRead = false;
    read();
  };
  return { view, renew };
}
