import type { ServiceToken, TokenActivity } from "@clew/client";
import { Link } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { useTokenActivity } from "../../../api/token-activity.ts";
import { paths } from "../../../paths.ts";
import { MapIcon } from "../../../ui/icons.tsx";
import { Empty, Loaded } from "../../../ui/states.tsx";
import { FirstCall } from "../first-call.tsx";
import { countedPages } from "../limits.ts";
import { readingWords } from "../words.ts";
import { CallList, PageName } from "./call-list.tsx";
import { DayBars } from "./day-bars.tsx";
import { daysOf } from "./days.ts";
import { usePageTitles } from "./page-titles.ts";

/** The activity of a token: sums, bars by day, the most read pages, and the calls as they come. */
export function Reading({ token }: { token: ServiceToken }) {
  const query = useTokenActivity(token.id);
  return (
    <section aria-label={readingWords.title} className="grid gap-6">
      <Loaded query={query}>{(activity) => <Whole token={token} activity={activity} />}</Loaded>
    </section>
  );
}

function Whole({ token, activity }: { token: ServiceToken; activity: TokenActivity }) {
  if (activity.days === 0) return <p className="text-quiet">{readingWords.off}</p>;
  if (activity.calls > 0 || activity.latest.length > 0) return <Calls token={token} activity={activity} />;
  if (token.last_used_at !== null || !token.is_active)
    return <p className="text-quiet">{readingWords.noneEver}</p>;
  return (
    <Empty title={readingWords.none} action={<FirstCall tokenId={token.id} />}>
      {readingWords.noneWhat}
    </Empty>
  );
}

/** Calls whose only page is named without a press. */
const namedCalls = 100;

const dayMs = 86_400_000;

function Calls({ token, activity }: { token: ServiceToken; activity: TokenActivity }) {
  const { days, week, hours, most_read, latest, last_event_id } = activity;
  const last = Number(last_event_id);
  const [seen] = useState(last);
  const [opened, setOpened] = useState<readonly string[]>([]);
  const open = useCallback((ids: readonly string[]) => setOpened((before) => [...before, ...ids]), []);
  const named = latest
    .slice(0, namedCalls)
    .flatMap(({ node_ids }) => (node_ids.length === 1 ? node_ids : []));
  const titles = usePageTitles([...most_read.map(({ node_id }) => node_id), ...opened, ...named]);
  const now = Date.now();
  const from = Math.max(Date.parse(token.created_at), now - (days - 1) * dayMs);
  return (
    <>
      <div className="card grid lg:grid-cols-[1fr_20rem]">
        <div className="grid min-w-0 grid-rows-[auto_1fr] gap-6 p-5 sm:p-6">
          <div className="flex flex-wrap items-start justify-between gap-4">
            <Sums week={week} />
            <Link className="button button-small" to={paths.map} search={{ lit: `token:${token.id}` }}>
              <MapIcon size={16} />
              {readingWords.onMap}
            </Link>
          </div>
          <DayBars days={daysOf(hours, from, now)} />
        </div>
        <div className="grid content-start gap-3 border-t border-line p-5 sm:p-6 lg:border-t-0 lg:border-l">
          <h2 className="font-semibold">{readingWords.mostRead}</h2>
          {most_read.length === 0 ? (
            <p className="text-quiet">{readingWords.mostReadNone}</p>
          ) : (
            <ol className="grid gap-1.5">
              {most_read.slice(0, shownMostRead).map(({ node_id, reads }) => (
                <li key={node_id} className="flex items-baseline justify-between gap-3">
                  <span className="min-w-0">
                    <PageName id={node_id} titles={titles} />
                  </span>
                  <span className="text-sm whitespace-nowrap text-quiet tabular-nums">
                    {readingWords.times(reads)}
                  </span>
                </li>
              ))}
            </ol>
          )}
        </div>
      </div>
      <div className="grid gap-3">
        <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
          <h2 className="text-lg font-semibold">{readingWords.calls}</h2>
          <span className="inline-flex items-center gap-2 text-sm text-quiet">
            <span className="pulse scale-75" aria-hidden="true" />
            {readingWords.live}
          </span>
        </div>
        <CallList
          calls={latest.map((call, index) => ({ ...call, number: last - index }))}
          seen={seen}
          titles={titles}
          onOpen={open}
        />
        <p className="text-sm text-quiet">{readingWords.kept(days)}</p>
      </div>
    </>
  );
}

const shownMostRead = 8;

/** The line that answers the question: how much, and whether anything was refused. */
function Sums({ week: { calls, pages, refused } }: Pick<TokenActivity, "week">) {
  const { thisWeek, thisWeekOne } = readingWords;
  const sums = [
    { name: "calls", number: calls, limit: Number.POSITIVE_INFINITY },
    { name: "pages", number: pages, limit: countedPages },
    { name: "refused", number: refused, limit: Number.POSITIVE_INFINITY },
  ] as const;
  return (
    <ul className="flex flex-wrap gap-x-6 gap-y-3 sm:gap-x-10">
      {sums.map(({ name, number, limit }) => (
        <li key={name} className="grid">
          <span
            className={`font-serif text-3xl font-semibold sm:text-4xl tabular-nums ${name === "refused" && number > 0 ? "text-danger" : ""}`}
          >
            {readingWords.many(number, limit)}
          </span>
          <span className="text-quiet">{(number === 1 ? thisWeekOne : thisWeek)[name]}</span>
        </li>
      ))}
    </ul>
  );
}
