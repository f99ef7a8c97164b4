/** How the dashboard and the documentation look: as the system says, or as the person has chosen on this device. */
export const appearances = ["system", "light", "dark"] as const;
export type Appearance = (typeof appearances)[number];

/** The key under which the choice is kept; `appearance-early.ts` reads it before the first paint. */
const key = "clew.appearance";

const { dataset } = document.documentElement;
const systemIsDark = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();

const isChoice = (value: unknown): value is Exclude<Appearance, "system"> =>
  value === "light" || value === "dark";

/** The person's choice. */
export const chosenAppearance = (): Appearance =>
  isChoice(dataset.appearance) ? dataset.appearance : "system";

function show(appearance: unknown): void {
  if (isChoice(appearance)) dataset.appearance = appearance;
  else delete dataset.appearance;
  for (const listener of listeners) listener();
}

/** Changes the appearance, in all tabs of this browser. */
export function chooseAppearance(appearance: Appearance): void {
  if (appearance === "system") localStorage.removeItem(key);
  else localStorage.setItem(key, appearance);
  show(appearance);
}

/** Whether what is drawn has to be dark now. */
export const isDark = (): boolean =>
  chosenAppearance() === "system" ? systemIsDark.matches : chosenAppearance() === "dark";

/** Calls the listener when the appearance changes, by choice or with the system. Returns a function that stops that. */
export function onAppearance(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

addEventListener("storage", (event) => {
  if (event.key === key) show(event.newValue);
});
systemIsDark.addEventListener("change", () => show(dataset.appearance));
