import type { Context } from "@clew/client";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useApi } from "../../../api/app-context.ts";
import { workspacesQuery } from "../../../api/queries.ts";
import { paths } from "../../../paths.ts";
import { CopyCall } from "../../../ui/copy-call.tsx";
import { SelectField } from "../../../ui/field.tsx";
import { Empty } from "../../../ui/states.tsx";
import { View } from "../../../ui/view.tsx";
import { workspaceWords } from "../../../words.ts";
import { titleOf } from "../page-name.tsx";
import { PagePicker } from "../page-picker.tsx";
import { Pending } from "../pending.tsx";
import { pageQuery } from "../queries.ts";
import { Answer } from "./answer.tsx";
import {
  type AskSearch,
  maxQuestion,
  readAskSearch,
  requestOf,
  standardTokens,
  tokenChoices,
} from "./ask-params.ts";
import { askWords } from "./words.ts";

const route = getRouteApi(paths.ask);

/** A question, and the passages that an agent gets for it (GRAPH-22). The URL has the question. */
export function AskView() {
  const api = useApi();
  const search = route.useSearch();
  const { question, near } = search;
  const isAsked = question !== undefined || near !== undefined;
  const { query: request, args } = requestOf(search);
  const query = useQuery({
    queryKey: ["context", request],
    queryFn: ({ signal }) => api.buildContext(request, { signal }),
    enabled: isAsked,
  });
  return (
    <View
      title={askWords.title}
      tabTitle={question === undefined ? askWords.title : askWords.titleFor(question)}
      lead={isAsked ? undefined : askWords.lead}
      actions={
        isAsked ? <CopyCall path="context/" query={request} tool="build_context" args={args} /> : undefined
      }
    >
      {/* Another question from a link or the browser's buttons fills the form anew. */}
      <AskForm key={JSON.stringify(search)} search={search} />
      {isAsked ? <Found query={query} budget={request.max_tokens} /> : <Steps />}
    </View>
  );
}

function Found({ query, budget }: { query: UseQueryResult<Context>; budget: number }) {
  if (query.data === undefined) return <Pending query={query} />;
  if (query.data.items.length === 0) return <Empty title={askWords.none}>{askWords.noneWhat}</Empty>;
  return <Answer found={query.data} budget={budget} />;
}

function AskForm({ search }: { search: AskSearch }) {
  const navigate = useNavigate();
  const api = useApi();
  const [question, setQuestion] = useState(search.question ?? "");
  const { data: workspaces = [] } = useQuery(workspacesQuery(api));
  const { data: page } = useQuery({
    ...pageQuery(api, search.near ?? ""),
    enabled: search.near !== undefined,
  });
  const ask = (changes: Readonly<Record<string, unknown>> = {}) =>
    void navigate({
      to: paths.ask,
      search: readAskSearch({ ...search, question, ...changes }),
      resetScroll: false,
    });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    ask();
  };
  return (
    <form className="card grid max-w-4xl gap-4 p-4 sm:p-5" onSubmit={submit}>
      <div className="flex gap-3">
        <input
          className="input min-h-12 min-w-0 flex-1 sm:text-lg"
          aria-label={askWords.question}
          placeholder={askWords.hint}
          maxLength={maxQuestion}
          autoComplete="off"
          enterKeyHint="search"
          value={question}
          onChange={({ target }) => setQuestion(target.value)}
        />
        <button type="submit" className="button button-primary min-h-12">
          {askWords.ask}
        </button>
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)_9rem] gap-4 sm:grid-flow-col sm:auto-cols-[12rem]">
        <PagePicker
          label={askWords.about}
          hint={askWords.aboutHint}
          chosen={search.near === undefined || page === undefined ? "" : titleOf(page)}
          onChoose={(node) => ask({ near: node?.id })}
        />
        <SelectField
          label={askWords.budget}
          value={search.tokens ?? standardTokens}
          onChange={({ target }) => ask({ tokens: Number(target.value) })}
        >
          {tokenChoices.map((tokens) => (
            <option key={tokens} value={tokens}>
              {askWords.budgetChoice(tokens)}
            </option>
          ))}
        </SelectField>
        {workspaces.length < 2 && search.workspace === undefined ? null : (
          <SelectField
            label={askWords.workspace}
            value={search.workspace ?? ""}
            onChange={({ target }) => ask({ workspace: target.value })}
          >
            <option value="">{askWords.allWorkspaces}</option>
            {workspaces.map(({ id, name }) => (
              <option key={id} value={id}>
                {name ?? workspaceWords.nameless}
              </option>
            ))}
          </SelectField>
        )}
      </div>
    </form>
  );
}

/** The steps from a question to its passages. */
function Steps() {
  return (
    <ol className="grid max-w-4xl gap-3 text-quiet sm:grid-cols-3 sm:gap-6">
      {askWords.steps.map((step, index) => (
        <li key={step} className="grid content-start gap-1">
          <span aria-hidden="true" className="font-serif text-2xl font-semibold text-thread">
            {index + 1}
          </span>
          {step}
        </li>
      ))}
    </ol>
  );
}
