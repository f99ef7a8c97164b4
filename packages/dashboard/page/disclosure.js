import { explain } from "./api.js";
import { element } from "./element.js";
import { notice } from "./notice.js";

/**
 * A collapsed section whose content is loaded when it is opened.
 * @param {string} title
 * @param {(body: HTMLElement) => Promise<void>} fill
 * @returns {{ view: HTMLDetailsElement, renew: () => void }} `renew` loads the content again
 */
export function disclosure(title, fill) {
  let body = element("div", {}, element("p", { class: "quiet" }, "Reading…"));
  let isRead = false;
  const view = element("details", { ontoggle: () => read() }, element("summary", {}, title), body);
  const read = async () => {
    if (isRead || !view.open) return;
    isRead = true;
    // The old content stays until the new content is there.
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
