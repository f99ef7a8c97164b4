import { useSyncExternalStore } from "react";
import { isDark, onAppearance } from "../../ui/appearance.ts";

/** The colours and fonts of the theme, as the browser resolves them: a canvas knows no variables. */
export interface MapTheme {
  readonly isDark: boolean;
  readonly ink: string;
  readonly paper: string;
  readonly thread: string;
  readonly titleFont: string;
  readonly bodyFont: string;
}

let known: MapTheme | null = null;

/** The theme of the page, and the new one when it changes. */
export const useMapTheme = (): MapTheme => useSyncExternalStore(subscribe, currentTheme);

function subscribe(listener: () => void): () => void {
  const change = () => {
    known = null;
    listener();
  };
  return onAppearance(change);
}

function currentTheme(): MapTheme {
  known ??= readTheme();
  return known;
}

function readTheme(): MapTheme {
  const probe = document.createElement("span");
  document.body.append(probe);
  const resolved = (name: string) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const [ink, paper, thread] = [resolved("--ink"), resolved("--paper"), resolved("--thread")];
  probe.style.fontFamily = "var(--font-title)";
  const titleFont = getComputedStyle(probe).fontFamily;
  probe.remove();
  const bodyFont = getComputedStyle(document.body).fontFamily;
  return { isDark: isDark(), ink, paper, thread, titleFont, bodyFont };
}
