import { useSyncExternalStore } from "react";

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
  const scheme = window.matchMedia("(prefers-color-scheme: dark)");
  scheme.addEventListener("change", change);
  // A theme that is chosen is an attribute of the page.
  const observer = new MutationObserver(change);
  observer.observe(document.documentElement, { attributes: true });
  return () => {
    scheme.removeEventListener("change", change);
    observer.disconnect();
  };
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
  const [red = 255] = paper.match(/\d+/g)?.map(Number) ?? [];
  const bodyFont = getComputedStyle(document.body).fontFamily;
  return { isDark: red < 128, ink, paper, thread, titleFont, bodyFont };
}
