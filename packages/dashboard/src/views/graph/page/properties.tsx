import type { NodeDetail } from "@clew/client";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { paths } from "../../../paths.ts";
import { dateOf } from "../../../ui/time.tsx";
import { titleOf } from "../page-name.tsx";
import { Section } from "../section.tsx";
import { pageWords } from "./words.ts";

/** The properties of a page, but for its title; those whose values could not be read are named. */
export function Properties({ page }: { page: NodeDetail }) {
  const entries = Object.entries(page.properties).filter(
    ([, value]) => value !== page.title && !isEmpty(value),
  );
  const unread = page.unread ?? [];
  if (entries.length + unread.length === 0) return null;
  return (
    <Section title={pageWords.properties}>
      <Facts>
        {entries.map(([name, value]) => (
          <Fact key={name} name={name}>
            <PropertyValue value={value} />
          </Fact>
        ))}
        {unread.map((name) => (
          <Fact key={name} name={name}>
            <span className="text-quiet">{pageWords.unread}</span>
          </Fact>
        ))}
      </Facts>
    </Section>
  );
}

/** Facts of a page, each with its name. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="grid gap-x-4 gap-y-2 sm:grid-cols-[minmax(6rem,auto)_1fr]">{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="text-quiet">
        <bdi>{name}</bdi>
      </dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}

function isEmpty(value: unknown): boolean {
  return (
    value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0)
  );
}

/** Longer texts are cut; the API has all of them. */
const mostCharacters = 500;
const mostValues = 25;

/** A value of a property as people read it. */
export function PropertyValue({ value }: { value: unknown }): ReactNode {
  if (isEmpty(value)) return <span className="sr-only">{pageWords.noValue}</span>;
  if (typeof value === "boolean") return value ? pageWords.yes : pageWords.no;
  if (typeof value === "number")
    return value.toLocaleString("en", { maximumFractionDigits: 20, useGrouping: value >= 10_000 });
  if (typeof value === "string") return <TextValue text={value} />;
  if (Array.isArray(value))
    return (
      <span className="flex flex-wrap gap-x-2 gap-y-1">
        {value.slice(0, mostValues).map((each, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: values may be equal, and do not move.
          <span key={index} className={typeof each === "string" ? "rounded-md bg-sunken px-1.5" : ""}>
            <PropertyValue value={each} />
          </span>
        ))}
        {value.length > mostValues ? "…" : null}
      </span>
    );
  return <ObjectValue value={Object.fromEntries(Object.entries(Object(value)))} />;
}

function TextValue({ text }: { text: string }) {
  const shown = text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text;
  const url = /^https?:\/\//.test(text) ? URL.parse(text) : null;
  return url === null ? (
    <bdi>{shown}</bdi>
  ) : (
    <a className="link" href={url.href} target="_blank" rel="noreferrer noopener">
      <bdi>{shown}</bdi>
    </a>
  );
}

/** A relation, a range of time, or anything else that has a name. */
function ObjectValue({ value }: { value: Readonly<Record<string, unknown>> }) {
  const { id, title, start, end, name } = value;
  if (typeof id === "string" && "title" in value)
    return typeof title === "string" ? (
      <Link className="link" to={paths.page} params={{ pageId: id }}>
        <bdi>{titleOf({ title })}</bdi>
      </Link>
    ) : (
      <span className="text-quiet">{pageWords.noValue}</span>
    );
  if (typeof start === "string")
    return (
      <bdi>
        {[start, end]
          .filter((each) => typeof each === "string")
          .map(dayOrTime)
          .join(" – ")}
      </bdi>
    );
  if (typeof name === "string") return <bdi>{name}</bdi>;
  return <code className="font-mono text-sm">{JSON.stringify(value).slice(0, mostCharacters)}</code>;
}

/** A day without a time is the same day everywhere. */
export const dayOrTime = (text: string): string =>
  /^\d{4}-\d\d-\d\d$/.test(text) ? dateOf(Date.parse(`${text}T12:00`)) : text;
