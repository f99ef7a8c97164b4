import type { SyncProgress } from "@clew/client";
import { useEffect, useState } from "react";
import { workspaceWords } from "../words.ts";
import { addSample, paceOf, type Sample } from "./rate.ts";
import { clockTime } from "./time.tsx";

/** The progress of a sync, with its rate and the time that is left, or until when it waits. */
export function SyncState({ sync }: { sync: SyncProgress }) {
  const { phase, done, total, waiting_until } = sync;
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  useEffect(() => {
    setSamples((known) => addSample(known, { at: Date.now(), phase, done }));
  }, [phase, done]);
  const name = phase === null ? workspaceWords.starting : workspaceWords.phases[phase];
  const outlook =
    waiting_until === null
      ? paceWords(paceOf(samples, total, Date.now()))
      : workspaceWords.limit(clockTime(waiting_until));
  return (
    <div className="grid gap-2">
      <p className="flex flex-wrap justify-between gap-x-4">
        <span className="font-medium">
          {done === 0 && total === null ? `${name}…` : `${name}: ${workspaceWords.progress(done, total)}`}
        </span>
        <span className="text-quiet">{outlook}</span>
      </p>
      <progress
        className="progress"
        aria-label={name}
        max={total === null || total === 0 ? 1 : total}
        {...(total === null ? {} : { value: total === 0 ? 1 : done })}
      />
    </div>
  );
}

const paceWords = (pace: ReturnType<typeof paceOf>): string | null =>
  pace && workspaceWords.pace(pace.perMinute, pace.minutesLeft);
