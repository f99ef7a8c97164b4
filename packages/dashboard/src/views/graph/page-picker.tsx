import type { Node } from "@clew/client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useApi } from "../../api/app-context.ts";
import { announce } from "../../ui/announce.ts";
import { pathWords } from "../../words.ts";
import { PageIcon, titleOf } from "./page-name.tsx";
import type { Placed } from "./place.ts";
import { PlaceLine } from "./place-line.tsx";

const pauseMs = 150;
const mostChoices = 8;

/** A field that finds one page by its title. https://www.w3.org/WAI/ARIA/apg/patterns/combobox/ */
export function PagePicker({
  label,
  hint = pathWords.hint,
  chosen,
  onChoose,
}: {
  label: string;
  hint?: string;
  /** The title of the page that is chosen now. */
  chosen: string;
  onChoose: (node: Node | null) => void;
}) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [words, setWords] = useState<string | null>(null);
  const [active, setActive] = useState(0);
  const choices = useChoices(words);
  const isOpen = words !== null && words.trim() !== "" && choices !== undefined;
  const found = choices?.length ?? 0;
  useEffect(() => {
    if (isOpen) announce(found === 0 ? pathWords.noMatches : pathWords.matches(found));
  }, [isOpen, found]);

  const choose = (node: Node) => {
    setWords(null);
    onChoose(node);
  };
  const leave = () => {
    if (words?.trim() === "" && chosen !== "") onChoose(null);
    setWords(null);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === "Escape" && words !== null) setWords(null);
    else if (!isOpen || choices === undefined || found === 0) return;
    else if (event.key === "ArrowDown") setActive((active + 1) % found);
    else if (event.key === "ArrowUp") setActive((active + found - 1) % found);
    else if (event.key === "Enter") {
      const item = choices[active];
      if (item !== undefined) choose(item.node);
    } else return;
    event.preventDefault();
  };

  return (
    <div className="relative grid min-w-0 gap-1.5">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <input
        ref={field}
        id={id}
        className="input"
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={`${id}-choices`}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && found > 0 ? `${id}-${active}` : undefined}
        autoComplete="off"
        placeholder={hint}
        maxLength={200}
        value={words ?? chosen}
        onChange={({ target }) => {
          setWords(target.value);
          setActive(0);
        }}
        onFocus={({ target }) => target.select()}
        onBlur={leave}
        onKeyDown={press}
      />
      <div
        id={`${id}-choices`}
        role="listbox"
        aria-label={pathWords.choices}
        hidden={!isOpen || found === 0}
        className="card absolute top-full right-0 left-0 z-20 mt-1 max-h-80 overflow-y-auto p-1 shadow-xl"
      >
        {(choices ?? []).map((item, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and handles the keys.
          <div
            key={item.node.id}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className={`flex cursor-pointer items-baseline gap-2 rounded-lg px-3 py-1.5 ${index === active ? "bg-thread-soft" : ""}`}
            onPointerDown={(event) => event.preventDefault()}
            onPointerMove={() => setActive(index)}
            onClick={() => choose(item.node)}
          >
            <PageIcon node={item.node} size={16} />
            <span className="min-w-0">
              <bdi>{titleOf(item.node)}</bdi>
              <PlaceLine item={item} />
            </span>
          </div>
        ))}
      </div>
      {isOpen && found === 0 ? (
        <p className="card absolute top-full right-0 left-0 z-20 mt-1 px-4 py-2 text-quiet shadow-xl">
          {pathWords.noMatches}
        </p>
      ) : null}
    </div>
  );
}

/** The pages whose titles match, once the person pauses. */
function useChoices(words: string | null): readonly Placed[] | undefined {
  const api = useApi();
  const [paused, setPaused] = useState("");
  const wanted = words?.trim() ?? "";
  useEffect(() => {
    const timer = setTimeout(setPaused, pauseMs, wanted);
    return () => clearTimeout(timer);
  }, [wanted]);
  const { data } = useQuery({
    queryKey: ["choices", paused],
    queryFn: async ({ signal }) =>
      (await api.searchPages({ q: paused, limit: mostChoices, breadcrumb: true }, { signal })).items,
    enabled: paused !== "",
    placeholderData: keepPreviousData,
  });
  return paused === "" ? undefined : data;
}
