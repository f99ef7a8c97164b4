import type { AppRequest } from "@clew/client";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useApi } from "../../api/app-context.ts";
import { explain } from "../../api/explain.ts";
import { Choices, Group } from "../../ui/choices.tsx";
import { Notice } from "../../ui/notice.tsx";
import { dateOf } from "../../ui/time.tsx";
import { connectWords, newTokenWords, scopeWords, workspaceWords } from "../../words.ts";
import {
  approvalOf,
  type Consent,
  type ConsentFault,
  consentOf,
  daysOf,
  faultsOf,
  fitting,
} from "./consent.ts";
import { EndChoice } from "./end-choice.tsx";
import { LifetimeField } from "./lifetime-field.tsx";

const dayMs = 86_400_000;

/** The choices of the person, what follows from them in one sentence, and the decision. */
export function ConsentForm({
  id,
  request,
  onSent,
  onRefused,
}: {
  id: string;
  request: AppRequest;
  /** Called with the address at which the program waits for the decision. */
  onSent: (outcome: "allowed" | "denied", address: string) => void;
  /** Called when Clew has refused the decision: the request may have changed. */
  onRefused: () => void;
}) {
  const api = useApi();
  const form = useRef<HTMLFormElement>(null);
  const [chosen, setChosen] = useState(() => consentOf(request));
  const [isTried, setTried] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const isInFront = useIsInFront();
  const consent = fitting(chosen, request);
  const faults = isTried ? faultsOf(consent, request) : [];
  const errorOf = (fault: ConsentFault) => (faults.includes(fault) ? connectWords.faults[fault] : undefined);
  const change = (part: Partial<Consent>) => setChosen({ ...consent, ...part });

  const decide = async (outcome: "allowed" | "denied", ask: () => Promise<{ redirect_to: string }>) => {
    if (isBusy) return;
    setBusy(true);
    setRefusal(null);
    try {
      // Not a mutation of the query library, which would keep the code in the address.
      onSent(outcome, (await ask()).redirect_to);
    } catch (error) {
      setRefusal(explain(error));
      setBusy(false);
      onRefused();
    }
  };
  const [faultCount, setFaultCount] = useState(0);
  const allow = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (faultsOf(consent, request).length > 0) setFaultCount((count) => count + 1);
    else if (isInFront) void decide("allowed", () => api.approveAppRequest(approvalOf(id, consent)));
  };
  // After the errors are on the page, the first of them gets the focus.
  useEffect(() => {
    if (faultCount > 0)
      form.current?.querySelector<HTMLElement>("[aria-invalid=true], [data-invalid] input")?.focus();
  }, [faultCount]);

  return (
    <form ref={form} className="grid gap-8" onSubmit={allow} noValidate>
      <Group legend={newTokenWords.canRead} error={errorOf("workspaces")}>
        <Choices
          options={request.workspaces.map(
            (workspace) => [workspace.id, workspace.name ?? workspaceWords.nameless, null] as const,
          )}
          chosen={consent.workspaceIds}
          onChange={(workspaceIds) => change({ workspaceIds })}
        />
      </Group>
      <Group legend={newTokenWords.canDo} error={errorOf("scopes")}>
        <Choices
          options={request.scopes.map((scope) => [scope, scopeWords[scope], scope] as const)}
          chosen={consent.scopes}
          onChange={(ids) => change({ scopes: request.scopes.filter((scope) => ids.includes(scope)) })}
        />
      </Group>
      <LifetimeField days={consent.days} error={errorOf("days")} onChange={(days) => change({ days })} />
      <EndChoice
        request={request}
        chosen={consent.endTokenId}
        error={errorOf("end")}
        onChange={(endTokenId) => change({ endTokenId })}
      />
      <div className="card grid gap-4 p-5">
        <p aria-live="polite">
          <Sentence consent={consent} request={request} />
        </p>
        {refusal === null ? null : <Notice kind="danger">{refusal}</Notice>}
        <div className="flex flex-wrap items-center gap-3">
          <button type="submit" className="button button-primary" aria-disabled={isBusy || !isInFront}>
            {connectWords.allow}
          </button>
          <button
            type="button"
            className="button"
            aria-disabled={isBusy}
            onClick={() => decide("denied", () => api.denyAppRequest({ id }))}
          >
            {connectWords.deny}
          </button>
          <p className="text-sm text-quiet">{connectWords.later}</p>
        </div>
      </div>
    </form>
  );
}

/** The consequence of the choices in one sentence, or the first one that is missing. */
function Sentence({ consent, request }: { consent: Consent; request: AppRequest }) {
  const [missing] = faultsOf(consent, { ...request, limit_reached: false });
  const days = daysOf(consent);
  if (missing !== undefined || days === null) return connectWords.faults[missing ?? "days"];
  const can = newTokenWords.and(consent.scopes.map((scope) => newTokenWords.cans[scope]));
  const names = request.workspaces
    .filter(({ id }) => consent.workspaceIds.includes(id))
    .map(({ name }) => name ?? workspaceWords.nameless);
  const until = newTokenWords.untilDate(dateOf(Date.now() + days * dayMs));
  return `${connectWords.sentence(can, newTokenWords.and(names), until)} ${connectWords.change}`;
}

/** Milliseconds that the page must have been in front before a press of Allow counts. */
const inFrontMs = 600;

/**
 * Whether the page has been in front for a moment. Another page could have the person press twice, and vanish in between so that
 * the second press lands here.
 */
function useIsInFront(): boolean {
  const [isInFront, setInFront] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const begin = () => {
      clearTimeout(timer);
      setInFront(false);
      timer = setTimeout(() => setInFront(true), inFrontMs);
    };
    begin();
    addEventListener("focus", begin);
    return () => {
      clearTimeout(timer);
      removeEventListener("focus", begin);
    };
  }, []);
  return isInFront;
}
