import { type KeyboardEvent, type ReactNode, useId, useState } from "react";

/** Something to choose from a list below a field. */
export interface ListChoice {
  readonly key: string;
  readonly content: ReactNode;
  readonly choose: () => void;
}

/** Choices under a common title; an empty title is not shown. */
export interface ChoiceGroup {
  readonly title: string;
  readonly choices: readonly ListChoice[];
}

interface Options {
  /** The name of the list. */
  readonly label: string;
  /** The classes of the list, which scrolls by itself. */
  readonly className: string;
  readonly groups: readonly ChoiceGroup[];
  readonly isOpen: boolean;
  /** Whether the first choice is marked at once, so that Enter takes it; otherwise an arrow marks it. */
  readonly marksFirst: boolean;
  /** The words in the field: others begin the list anew. */
  readonly words: string;
}

/**
 * A field that is typed in and a list below it: https://www.w3.org/WAI/ARIA/apg/patterns/combobox/. The focus stays in the field,
 * which has `field` as its attributes and `press` for its keys. `press` says whether the key was for the list.
 */
export function useChoiceList({ label, className, groups, isOpen, marksFirst, words }: Options) {
  const id = useId();
  const choices = groups.flatMap((group) => group.choices);
  const start = marksFirst ? 0 : -1;
  // By its key: choices that arrive late do not move the mark to another one.
  const [marked, setMarked] = useState<{ readonly key: string; readonly words: string } | null>(null);
  // Other words, and opening it again, begin the list anew: while it is drawn, so that an arrow pressed right after it is not lost.
  if (marked !== null && (!isOpen || marked.words !== words)) setMarked(null);
  const isShown = isOpen && choices.length > 0;
  const found = choices.findIndex(({ key }) => key === marked?.key);
  const at = found < 0 ? start : found;
  const current = isShown ? choices[at] : undefined;
  const idOf = (index: number) => `${id}-${index}`;

  const mark = (key: string | undefined) => setMarked(key === undefined ? null : { key, words });
  const moveTo = (index: number) => {
    mark(choices[index]?.key);
    document.getElementById(idOf(index))?.scrollIntoView({ block: "nearest" });
  };
  const press = ({ key, nativeEvent }: KeyboardEvent): boolean => {
    // An input method uses the same keys while it composes a word.
    if (!isShown || nativeEvent.isComposing) return false;
    const last = choices.length - 1;
    if (key === "ArrowDown") moveTo(at >= last ? 0 : at + 1);
    else if (key === "ArrowUp") moveTo(at <= 0 ? last : at - 1);
    else if (key === "Enter" && current !== undefined) current.choose();
    else return false;
    return true;
  };

  let index = -1;
  const list = (
    <div id={`${id}-list`} role="listbox" aria-label={label} hidden={!isShown} className={className}>
      {groups.map((group) =>
        group.choices.length === 0 ? null : (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset has no place in a list of options.
          <div key={group.title} role="group" aria-label={group.title || label}>
            {group.title === "" ? null : (
              <p aria-hidden="true" className="px-3 pt-2 pb-1 text-xs font-medium text-quiet">
                {group.title}
              </p>
            )}
            {group.choices.map((choice) => {
              index += 1;
              const own = index;
              return (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and handles the keys.
                <div
                  key={choice.key}
                  id={idOf(own)}
                  role="option"
                  tabIndex={-1}
                  aria-selected={own === at}
                  className={`choice ${marksFirst ? "" : "hover:bg-sunken"}`}
                  onPointerDown={(event) => event.preventDefault()}
                  onPointerMove={marksFirst ? () => mark(choice.key) : undefined}
                  onClick={choice.choose}
                >
                  {choice.content}
                </div>
              );
            })}
          </div>
        ),
      )}
    </div>
  );
  const field = {
    role: "combobox",
    "aria-expanded": isShown,
    "aria-controls": `${id}-list`,
    "aria-autocomplete": "list",
    "aria-activedescendant": current === undefined ? undefined : idOf(at),
    autoComplete: "off",
    spellCheck: false,
  } as const;
  return { field, press, list, isShown };
}
