import type { NodeDetail } from "@clew/client";
import { getRouteApi, Link } from "@tanstack/react-router";
import { paths } from "../../../paths.ts";
import { clewUrl } from "../../../session/urls.ts";
import { curlOf, toolCallOf } from "../../../ui/call-text.ts";
import { copyText } from "../../../ui/copy.tsx";
import { CopyIcon, MoreIcon } from "../../../ui/icons.tsx";
import { Menu } from "../../../ui/menu.tsx";
import { copyWords, graphWords } from "../../../words.ts";
import { callsOf, type PageCall } from "./page-calls.ts";
import { pageWords } from "./words.ts";

const route = getRouteApi(paths.page);

/** The actions on a page, side by side. */
export function PageActions({ page }: { page: NodeDetail }) {
  return (
    <>
      <Links page={page} look="button" />
      <Menu
        label={copyWords.call}
        button={
          <>
            <CopyIcon size={18} />
            {copyWords.call}
          </>
        }
      >
        <Calls page={page} />
      </Menu>
    </>
  );
}

/** The same in one menu, for narrow windows. */
export function PageActionsMenu({ page }: { page: NodeDetail }) {
  return (
    <Menu label={pageWords.actions} button={<MoreIcon />}>
      <Links page={page} look="menu-button" />
      <hr className="my-2 border-line" />
      <Calls page={page} />
    </Menu>
  );
}

function Links({ page, look }: { page: NodeDetail; look: "button" | "menu-button" }) {
  return (
    <>
      <Link className={look} to={paths.path} search={{ from: page.id }}>
        {pageWords.path}
      </Link>
      <Link className={look} to={paths.map} search={{ workspace: page.workspace_id, page: page.id }}>
        {pageWords.onMap}
      </Link>
      {page.url === null ? null : (
        <a className={look} href={page.url} target="_blank" rel="noreferrer noopener">
          {pageWords.original}
          <span className="sr-only"> {graphWords.otherSite}</span>
          <span aria-hidden="true">↗</span>
        </a>
      )}
    </>
  );
}

/** The calls with which an agent or a script gets each part of the view. */
function Calls({ page }: { page: NodeDetail }) {
  const calls = callsOf(page, route.useSearch());
  return (
    <div className="grid gap-1">
      <p className="max-w-72 px-3 pt-1 text-sm text-quiet">{copyWords.callHint}</p>
      <ul>
        {calls.map((call) => (
          <li key={call.part} className="flex items-center justify-between gap-3 pl-3">
            {pageWords.calls[call.part]}
            <span className="flex">
              <CopyButton call={call} label={copyWords.curl} text={curlOf(clewUrl, call.path, call.query)} />
              <CopyButton call={call} label={copyWords.mcp} text={toolCallOf(call.tool, call.args)} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function CopyButton({ call, label, text }: { call: PageCall; label: string; text: string }) {
  return (
    <button
      type="button"
      className="menu-button text-sm whitespace-nowrap text-thread"
      aria-label={copyWords.part(label, pageWords.calls[call.part])}
      onClick={() => copyText(text, label)}
    >
      {label}
    </button>
  );
}
