/** @import { SyncProgress, Workspace } from "@clew/contract" */
import { element } from "./element.js";
import { clockTime, timeElement } from "./time.js";

/** @param {SyncProgress} sync */
export function isSyncing({ state }) {
  return state === "queued" || state === "running" || state === "waiting";
}

/**
 * How fresh a workspace's graph is, or the progress of its sync. Reserves space for both, so that nothing below moves
 * when a sync begins or ends.
 * @returns {{ view: HTMLElement, show: (workspace: Workspace) => void }}
 */
export function syncState() {
  const words = element("p");
  const bar = element("progress");
  const limit = element("p", { class: "quiet" });
  return {
    view: element("div", { class: "sync-state" }, words, bar, limit),
    show(workspace) {
      const { status, sync } = workspace;
      const isUnderWay = status === "active" && isSyncing(sync);
      const isWell = isUnderWay || (status === "active" && sync.state === "idle");
      words.className = isWell ? "quiet" : "fault";
      words.replaceChildren(...(isUnderWay ? progress(sync) : freshness(workspace)));
      bar.classList.toggle("absent", !isUnderWay);
      fill(bar, sync);
      limit.textContent =
        isUnderWay && sync.waiting_until !== null
          ? `Waiting for the provider's limit until ${clockTime(sync.waiting_until)}`
          : "";
    },
  };
}

const phases = { titles: "Finding pages", content: "Reading pages" };

/** @param {SyncProgress} sync */
const phaseOf = ({ phase }) => (phase === null ? "About to start" : phases[phase]);

/** @param {SyncProgress} sync */
function progress(sync) {
  const { done, total } = sync;
  if (done === 0 && total === null) return [`${phaseOf(sync)}…`];
  const whole = total === null ? "" : ` of ${total.toLocaleString("en")}`;
  return [`${phaseOf(sync)}: ${done.toLocaleString("en")}${whole}`];
}

/**
 * @param {HTMLProgressElement} bar
 * @param {SyncProgress} sync
 */
function fill(bar, sync) {
  const { done, total } = sync;
  bar.setAttribute("aria-label", phaseOf(sync));
  bar.max = total || 1;
  if (total === null) bar.removeAttribute("value");
  else bar.value = total === 0 ? 1 : done;
}

/**
 * @param {Workspace} workspace one that is not being synced
 * @returns {(string | Node)[]}
 */
function freshness({ status, sync, last_synced_at }) {
  const age = last_synced_at === null ? null : timeElement(last_synced_at);
  if (status === "needs_reauth") {
    const graph =
      age === null
        ? []
        : [" What was read up to ", age, " stays readable for some days, and is deleted after that."];
    return ["The provider has withdrawn Clew's access.", ...graph];
  }
  const known = age === null ? "Never synced" : "Synced ";
  if (sync.state !== "failed") {
    const reason = sync.error ?? "Not everything could be read; the next sync tries again.";
    const rest = sync.outcome === "incomplete" ? [`. ${reason}`] : [];
    return age === null ? [known, ...rest] : [known, age, ...rest];
  }
  const failure = `The last sync failed: ${sync.error ?? "The log says why."} ${known}`;
  return age === null ? [`${failure}.`] : [failure, age, "."];
}
