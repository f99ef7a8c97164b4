import type { ActivityCall } from "@clew/client";
import { Link } from "@tanstack/react-router";
import { type ComponentProps, useId, useState } from "react";
import { isRefused } from "../../../api/merged-activity.ts";
import { paths } from "../../../paths.ts";
import { copyText } from "../../../ui/copy.tsx";
import { CopyIcon } from "../../../ui/icons.tsx";
import { Pill } from "../../../ui/pill.tsx";
import { graphWords } from "../../../words.ts";
import { readingWords } from "../words.ts";

/** Calls that are shown at first, and with each press. */
const shownAtFirst = 12;
const shownMore = 100;

/** A call with its number among all of its token. */
export interface NumberedCall extends ActivityCall {
  readonly number: number;
}

type Titles = ReadonlyMap<string, string | null>;

/**
 * The latest calls of a token, newest first. Calls with a higher number than `seen` came while the list was shown. `onOpen` receives the
 * pages whose titles are needed.
 */
export function CallList({
  calls,
  seen,
  titles,
  onOpen,
}: {
  calls: readonly NumberedCall[];
  seen: number;
  titles: Titles;
  onOpen: (ids: readonly string[]) => void;
}) {
  const [shown, setShown] = useState(shownAtFirst);
  const left = calls.length - shown;
  return (
    <>
      <ol className="card divide-y divide-line overflow-hidden">
        {calls.slice(0, shown).map((call) => (
          <CallRow key={call.number} call={call} isNew={call.number > seen} titles={titles} onOpen={onOpen} />
        ))}
      </ol>
      {left > 0 ? (
        <button
          type="button"
          className="button button-small justify-self-start"
          onClick={() => setShown(shown + shownMore)}
        >
          {readingWords.more(Math.min(left, shownMore))}
        </button>
      ) : null}
    </>
  );
}

function CallRow({
  call,
  isNew,
  titles,
  onOpen,
}: {
  call: NumberedCall;
  isNew: boolean;
  titles: Titles;
  onOpen: (ids: readonly string[]) => void;
}) {
  const { at, operation, words, node_ids, pages, ms } = call;
  const [isOpen, setOpen] = useState(false);
  const listId = useId();
  return (
    <li className={isNew ? "arrive" : ""}>
      <div className="flex min-h-11 items-start gap-x-4 px-4 py-2">
        <time
          dateTime={at}
          title={longTime.format(new Date(at))}
          className="pt-0.5 font-mono text-sm whitespace-nowrap text-quiet"
        >
          {timeOf(at)}
        </time>
        <div className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3 gap-y-1">
          <span className="font-medium whitespace-nowrap">{readingWords.operations[operation]}</span>
          {words === null ? null : <q className="min-w-0 wrap-anywhere">{words}</q>}
          <Outcome
            call={call}
            titles={titles}
            pagesButton={{
              "aria-expanded": isOpen,
              "aria-controls": listId,
              onClick: () => {
                setOpen(!isOpen);
                onOpen(node_ids);
              },
            }}
          />
        </div>
        <span className="hidden pt-0.5 text-sm whitespace-nowrap text-quiet tabular-nums sm:inline">
          {readingWords.ms(ms)}
        </span>
        <button
          type="button"
          className="-my-1 -mr-2 grid size-8 place-items-center rounded-md text-quiet hover:bg-sunken hover:text-ink"
          aria-label={`${readingWords.copy}: ${timeOf(at)} ${readingWords.operations[operation]}`}
          title={readingWords.copy}
          onClick={() => copyText(textOf(call, titles), readingWords.copied)}
        >
          <CopyIcon size={16} />
        </button>
      </div>
      {isOpen ? (
        <ul id={listId} className="flex flex-wrap gap-x-4 gap-y-1 border-t border-line bg-sunken px-4 py-3">
          {node_ids.map((id) => (
            <li key={id} className="min-w-0">
              <PageName id={id} titles={titles} />
            </li>
          ))}
          {pages > node_ids.length ? (
            <li className="text-quiet">{readingWords.others(pages - node_ids.length)}</li>
          ) : null}
        </ul>
      ) : null}
    </li>
  );
}

/** The outcome of a call: its only page, the number of them as a button, or why it failed. */
function Outcome({
  call: { operation, node_ids, pages, status },
  titles,
  pagesButton,
}: {
  call: ActivityCall;
  titles: Titles;
  pagesButton: ComponentProps<"button">;
}) {
  const [only, ...others] = node_ids;
  if (status >= 400)
    return (
      <Pill kind={isRefused({ status }) ? "danger" : "warn"}>
        {readingWords.failed[status] ?? readingWords.failedOther} ({status})
      </Pill>
    );
  if (only === undefined)
    return withoutPages.includes(operation) ? null : (
      <span className="text-quiet">
        <Arrow />
        {readingWords.pages(0)}
      </span>
    );
  return (
    <span className="min-w-0">
      <Arrow />
      {others.length === 0 ? (
        <PageName id={only} titles={titles} />
      ) : (
        <button type="button" className="link min-h-6" {...pagesButton}>
          {readingWords.pages(pages)}
        </button>
      )}
    </span>
  );
}

/** Operations that are about no page. */
const withoutPages: readonly ActivityCall["operation"][] = ["mcp", "token", "overview", "workspaces", "map"];

const Arrow = () => (
  <span aria-hidden="true" className="mr-1.5 text-quiet">
    →
  </span>
);

/** A link to a page by its title; what is there until the title is known has its size. */
export function PageName({ id, titles }: { id: string; titles: Titles }) {
  const title = titles.get(id);
  if (title === undefined) return <span className="skeleton inline-block h-3 w-24" />;
  if (title === null) return <span className="text-quiet">{readingWords.gone}</span>;
  return (
    <Link className="link" to={paths.page} params={{ pageId: id }}>
      <bdi>{title.trim() === "" ? graphWords.untitled : title}</bdi>
    </Link>
  );
}

const time = new Intl.DateTimeFormat("en", { timeStyle: "medium", hourCycle: "h23" });
const dayAndTime = new Intl.DateTimeFormat("en", {
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});
const longTime = new Intl.DateTimeFormat("en", { dateStyle: "full", timeStyle: "long", hourCycle: "h23" });

/** The time of day; with its day if that is not today. */
function timeOf(at: string): string {
  const date = new Date(at);
  return (date.toDateString() === new Date().toDateString() ? time : dayAndTime).format(date);
}

/** A call as a line of text. */
function textOf({ at, operation, words, node_ids, pages, status, ms }: ActivityCall, titles: Titles): string {
  const quoted = words === null ? "" : ` ${JSON.stringify(words)}`;
  const names = node_ids.map((id) => titles.get(id) ?? id).join(", ");
  const shown = pages === 0 ? "" : ` → ${readingWords.pages(pages)}: ${names}`;
  return `${at} ${operation}${quoted}${shown} (${status}, ${readingWords.ms(ms)})`;
}
