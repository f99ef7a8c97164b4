import type { NodeDetail } from "@clew/client";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { paths } from "../../../paths.ts";
import { Time } from "../../../ui/time.tsx";
import { Section } from "../section.tsx";
import { dayOrTime } from "./properties.tsx";
import { pageWords } from "./words.ts";

type Person = NonNullable<NodeDetail["created_by"]>;

/** Who made a page, who edited it last, and who vouches for it, as far as the provider says. */
export function People({ page }: { page: NodeDetail }) {
  const { created_by: maker, edited_by: editor, verification } = page;
  if (!maker?.name && !editor?.name && verification === undefined) return null;
  return (
    <Section title={pageWords.people}>
      <dl className="grid gap-x-4 gap-y-2 sm:grid-cols-[minmax(6rem,auto)_1fr]">
        <Row name={pageWords.created} person={maker}>
          <Time value={page.created_at} />
        </Row>
        <Row name={pageWords.edited} person={editor}>
          <Time value={page.updated_at} />
        </Row>
        {verification === undefined ? null : <Verification {...verification} />}
      </dl>
    </Section>
  );
}

/** A person and when. One whom the provider does not name is left out. */
function Row({ name, person, children }: { name: string; person: Person | undefined; children: ReactNode }) {
  if (!person?.name) return null;
  return (
    <>
      <dt className="text-quiet">{name}</dt>
      <dd className="min-w-0">
        <PagesOf name={person.name} /> {children}
      </dd>
    </>
  );
}

/** A name that leads to what the person made or edited. */
function PagesOf({ name }: { name: string }) {
  return (
    <Link className="link" to={paths.graph} search={{ by: name }}>
      <bdi>{name}</bdi>
    </Link>
  );
}

function Verification({ state, by, until }: NonNullable<NodeDetail["verification"]>) {
  return (
    <>
      <dt className="text-quiet">{pageWords.verification[state]}</dt>
      <dd className="min-w-0">
        {by?.name ? <PagesOf name={by.name} /> : null}{" "}
        {until === null ? null : pageWords.until[state](dayOrTime(until))}
      </dd>
    </>
  );
}
