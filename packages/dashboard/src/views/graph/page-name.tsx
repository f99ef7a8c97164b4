import type { Node } from "@clew/client";
import type { NodeType } from "@clew/contract";
import { Link } from "@tanstack/react-router";
import { paths } from "../../paths.ts";
import { Time } from "../../ui/time.tsx";
import { graphWords } from "../../words.ts";

/** The title of a page as people see it. */
export const titleOf = ({ title }: { readonly title: string | null }): string =>
  title === null || title.trim() === "" ? graphWords.untitled : title;

/** The drawing of each kind, in a square of 20. */
const drawings: Readonly<Record<NodeType, string>> = {
  page: "M5 2.500h7l3.500 3.500v11.500h-10.500zM7.500 9h5.500M7.500 12h5.500",
  database: "M3 4h14v12h-14zM3 8h14M8 8v8",
  tag: "M3 3h7l7 7-7 7-7-7zM6.500 6.500v.010",
};

/** A page's emoji, or a drawing of its kind. Pictures of other hosts are not loaded. */
export function PageIcon({ node, size = 18 }: { node: Pick<Node, "icon" | "type">; size?: number }) {
  const { icon, type } = node;
  if (icon !== null && !icon.includes(":"))
    return (
      <span
        aria-hidden="true"
        className="inline-block shrink-0 text-center leading-none"
        style={{ width: size + 4, fontSize: size }}
      >
        {icon}
      </span>
    );
  return (
    <svg
      aria-hidden="true"
      className="inline-block shrink-0 text-quiet"
      width={size + 4}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
    >
      <path d={drawings[type]} />
    </svg>
  );
}

/** A link to a page of the graph, with its icon. A hostile title cannot reorder what is around it. */
export function PageLink({ node, at }: { node: Pick<Node, "id" | "title" | "icon" | "type">; at?: number }) {
  return (
    <span className="inline-flex max-w-full items-baseline gap-1">
      <PageIcon node={node} size={16} />
      <Link
        className="link min-w-0"
        to={paths.page}
        params={{ pageId: node.id }}
        search={at === undefined ? {} : { at }}
      >
        <bdi>{titleOf(node)}</bdi>
      </Link>
    </span>
  );
}

/** Milliseconds from its creation within which a page counts as not edited since. */
const untouchedMs = 60_000;

/** When a page was last edited, or when it was added: a file that was copied into a folder has not been edited. */
export function LastEdit({ node }: { node: Pick<Node, "created_at" | "updated_at"> }) {
  const isEdited = Date.parse(node.updated_at) - Date.parse(node.created_at) >= untouchedMs;
  return (
    <>
      {isEdited ? graphWords.edited : graphWords.added} <Time value={node.updated_at} />
    </>
  );
}
