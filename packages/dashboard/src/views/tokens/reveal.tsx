import type { CreatedToken } from "@clew/client";
import { useCallback, useEffect, useRef, useState } from "react";
import { clewUrl } from "../../session/urls.ts";
import { Copyable } from "../../ui/copy.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { useLeaveGuard } from "../../ui/leave-guard.ts";
import { Tabs } from "../../ui/tabs.tsx";
import { View } from "../../ui/view.tsx";
import { ConnectWithUrl, useCanConnect } from "./connect-with-url.tsx";
import { FirstCall } from "./first-call.tsx";
import { askForToken, snippetsOf } from "./snippets.ts";
import { appWords, revealWords } from "./words.ts";

const tabs = ["claude", "cursor", "curl", "powershell", "env", "typescript", "python"] as const;
const shells = ["sh", "powershell"] as const;

/**
 * Shows a new token, only this once. It is in the memory of this component alone. Every way out asks whether it is stored,
 * until the person has said so.
 */
export function Reveal({
  title,
  created,
  onDone,
}: {
  title: string;
  created: CreatedToken;
  onDone: () => void;
}) {
  const [question, setQuestion] = useState<{ answer: (mayLeave: boolean) => void } | null>(null);
  const [isSaved, setSaved] = useState(false);
  const ask = useCallback(() => new Promise<boolean>((resolve) => setQuestion({ answer: resolve })), []);
  useLeaveGuard(ask, !isSaved);
  const canConnect = useCanConnect();
  const heading = useRef<HTMLDivElement>(null);
  useEffect(() => heading.current?.querySelector("h1")?.focus(), []);
  useEffect(() => {
    // The browser’s back button must not show the token again.
    addEventListener("pagehide", onDone);
    return () => removeEventListener("pagehide", onDone);
  }, [onDone]);
  useEffect(() => {
    if (isSaved) onDone();
  }, [isSaved, onDone]);
  const answer = (mayLeave: boolean) => {
    question?.answer(mayLeave);
    setQuestion(null);
  };
  const snippets = snippetsOf(clewUrl, created.token, created.scopes);
  return (
    <div ref={heading}>
      <View title={title} width="text">
        <p>{revealWords.once}</p>
        <ol className="grid list-decimal gap-6 pl-5">
          <li>
            <div className="grid min-w-0 gap-3">
              <p>{revealWords.variable}</p>
              <Tabs
                label={revealWords.shells}
                tabs={shells.map((shell) => ({
                  name: revealWords.shell[shell],
                  panel: <Copyable text={askForToken[shell]} what={revealWords.variableLine} />,
                }))}
              />
            </div>
          </li>
          <li>
            <div className="grid min-w-0 gap-3">
              <p>{revealWords.paste}</p>
              <Copyable text={created.token} what={revealWords.token} />
            </div>
          </li>
        </ol>
        <button
          type="button"
          className="button button-primary justify-self-start"
          onClick={() => setSaved(true)}
        >
          {revealWords.done}
        </button>
        <section aria-label={revealWords.use} className="grid min-w-0 gap-3 pt-4">
          <h2 className="text-lg font-semibold">{revealWords.use}</h2>
          <Tabs
            label={revealWords.use}
            tabs={tabs.map((name) => ({
              name: revealWords.tabs[name],
              panel: (
                <div className="grid gap-3">
                  <Copyable text={snippets[name]} what={revealWords.line} />
                  {name === "env" ? <p className="text-sm text-quiet">{revealWords.env}</p> : null}
                </div>
              ),
            }))}
          />
          <FirstCall tokenId={created.id} />
        </section>
        {canConnect ? (
          <section className="grid min-w-0 gap-3">
            <h2 className="text-lg font-semibold">{appWords.instead}</h2>
            <ConnectWithUrl />
          </section>
        ) : null}
      </View>
      {question === null ? null : (
        <Dialog title={revealWords.askTitle} onClose={() => answer(false)}>
          <p>{revealWords.askWhat}</p>
          <div className="flex flex-wrap justify-end gap-3">
            <button type="button" className="button" onClick={() => answer(false)}>
              {revealWords.stay}
            </button>
            <button type="button" className="button button-danger" onClick={() => answer(true)}>
              {revealWords.leave}
            </button>
          </div>
        </Dialog>
      )}
    </div>
  );
}
