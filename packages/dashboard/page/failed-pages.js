/** @import { FailedPage, Nodes, SyncProgress, Workspace } from "@clew/contract" */
import { call } from "./api.js";
import { element } from "./element.js";

/**
 * The pages whose text could not be read, with the reasons. Empty if there are none.
 * @returns {{ view: HTMLElement, show: (workspace: Workspace) => void }}
 */
export function failedPages() {
  const summary = element("summary");
  const body = element("div");
  const view = element("details", { hidden: true, ontoggle: () => addLinks() }, summary, body);
  /** @type {Pick<SyncProgress, "failed" | "failed_total">} */
  let failures = { failed: [], failed_total: 0 };
  /** @type {Map<string, string | null>} URLs of pages at the provider by page id; null if unknown */
  const urls = new Map();

  const render = () => {
    const { failed, failed_total } = failures;
    const others = failed_total - failed.length;
    const more = others > 0 ? `And ${others.toLocaleString("en")} more. ` : "";
    body.replaceChildren(
      element("ul", {}, ...failed.map((page) => item(page, urls.get(page.node_id) ?? null))),
      element("p", { class: "quiet" }, `${more}The next sync tries again.`),
    );
  };
  const addLinks = async () => {
    const unknown = failures.failed.map(({ node_id }) => node_id).filter((id) => !urls.has(id));
    if (!view.open || unknown.length === 0) return;
    for (const id of unknown) urls.set(id, null);
    try {
      /** @type {Nodes} */
      const { items } = await call(`provider-graph/nodes/?ids=${unknown.join()}`);
      for (const { id, url } of items) urls.set(id, url);
    } catch {
      // The titles are enough; opening the section again repeats the request.
      for (const id of unknown) urls.delete(id);
    }
    render();
  };

  return {
    view,
    show({ sync: { failed, failed_total } }) {
      if (JSON.stringify(failures) === JSON.stringify({ failed, failed_total })) return;
      failures = { failed, failed_total };
      view.hidden = failed_total === 0;
      const pages = failed_total === 1 ? "1 page" : `${failed_total.toLocaleString("en")} pages`;
      summary.textContent = `${pages} could not be read`;
      render();
      addLinks();
    },
  };
}

/**
 * @param {FailedPage} page
 * @param {string | null} url
 */
function item({ title, reason }, url) {
  const name = title || "A page without a title";
  return element("li", {}, url === null ? name : element("a", { href: url }, name), `: ${reason}`);
}
