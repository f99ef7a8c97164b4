import { type MouseEvent, useSyncExternalStore } from "react";
import { appearanceWords } from "../words.ts";
import { appearances, chooseAppearance, chosenAppearance, onAppearance } from "./appearance.ts";

/** The choice of light, dark, or what the system says. A menu around it stays open. */
export function AppearanceChoice() {
  const chosen = useSyncExternalStore(onAppearance, chosenAppearance);
  const choose = (event: MouseEvent, appearance: (typeof appearances)[number]) => {
    event.stopPropagation();
    chooseAppearance(appearance);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields that are sent.
    <div role="group" aria-label={appearanceWords.title} className="segments">
      {appearances.map((appearance) => (
        <button
          key={appearance}
          type="button"
          aria-pressed={appearance === chosen}
          onClick={(event) => choose(event, appearance)}
        >
          {appearanceWords.choices[appearance]}
        </button>
      ))}
    </div>
  );
}
