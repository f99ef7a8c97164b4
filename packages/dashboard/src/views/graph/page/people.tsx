import type { NodeDetail } from "@clew/client";
import { Link } from "@tanstack/react-router";
import { paths } from "../../../paths.ts";
import { Time } from "../../../ui/time.tsx";
import { Section } from "../section.tsx";
import { dayOrTime, Fact, Facts } from "./properties.tsx";
import { pageWords } from "./words.ts";

type Person = NonNullable<NodeDetail["created_by"]>;

/** Who made a page, who edited it last, and who vouches for it, as far as the provider says. */
export function People({ page }: { page: NodeDetail }) {
  const { created_by: maker, edited_by: editor, verification } = page;
  if (!maker?.name && !editor?.name && verification === undefined) return null;
  return (
    <Section title={pageWords.people}>
      <Facts>
        <Edit name={pageWords.created} person={maker} at={page.created_at} />
        <Edit name={pageWords.edited} person={editor} at={page.updated_at} />
        {verification === undefined ? null : <Verification {...verification} />}
      </Facts>
    </Section>
  );
}

/** A person and when they wrote. One whom the provider does not name is left out. */
function Edit({ name, person, at }: { name: string; person: Person | undefined; at: string }) {
  if (!person?.name) return null;
  return (
    <Fact name={name}>
      <PagesOf name={person.name} /> <Time value={at} />
    </Fact>
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
    <Fact name={pageWords.verification[state]}>
      {by?.name ? <PagesOf name={by.name} /> : null}{" "}
      {until === null ? null : pageWords.until[state](dayOrTime(until))}
    </Fact>
  );
}
