import type { Node } from "@clew/client";
import { type KeyboardEvent, useEffect, useId, useState } from "react";
import { useRecentPages } from "../../api/recent-choices.ts";
import { useTitleMatches } from "../../api/title-matches.ts";
import { announce } from "../../ui/announce.ts";
import { useChoiceList } from "../../ui/choices-list.tsx";
import { typingWords } from "../../words.ts";
import { PageChoice } from "./page-choice.tsx";
import { pathWords } from "./path/words.ts";

const mostChoices = 8;

/** A field that finds one page by its title; empty, it offers the pages that were opened lately. */
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
  const [words, setWords] = useState<string | null>(null);
  const isEmpty = words !== null && words.trim() === "";
  const opened = useRecentPages({ most: mostChoices, isWanted: isEmpty });
  const { items, isCurrent } = useTitleMatches(words, mostChoices);
  const choose = (node: Node) => {
    setWords(null);
    onChoose(node);
  };
  const found = isEmpty ? opened.map((node) => ({ node })) : (items ?? []);
  const choices = found.map((item) => ({
    key: item.node.id,
    content: <PageChoice item={item} />,
    choose: () => choose(item.node),
  }));
  const { field, press, list } = useChoiceList({
    label: isEmpty ? typingWords.recent : pathWords.choices,
    className: "choices",
    groups: [{ title: isEmpty ? typingWords.recent : "", choices }],
    isOpen: words !== null,
    marksFirst: !isEmpty,
    words: words ?? "",
  });
  const isNone = !isEmpty && isCurrent && choices.length === 0;
  useEffect(() => {
    if (isCurrent) announce(choices.length === 0 ? pathWords.noMatches : pathWords.matches(choices.length));
  }, [isCurrent, choices.length]);

  const leave = () => {
    if (isEmpty && chosen !== "") onChoose(null);
    setWords(null);
  };
  const pressKey = (event: KeyboardEvent) => {
    if (event.key === "Escape" && words !== null) setWords(null);
    else if (!press(event)) return;
    event.preventDefault();
  };

  return (
    <div className="relative grid min-w-0 gap-1.5">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <input
        id={id}
        className="input"
        {...field}
        placeholder={hint}
        maxLength={200}
        value={words ?? chosen}
        onChange={({ target }) => setWords(target.value)}
        onFocus={({ target }) => {
          target.select();
          if (chosen === "") setWords("");
        }}
        onBlur={leave}
        onKeyDown={pressKey}
      />
      {list}
      {isNone ? <p className="choices px-4 py-2 text-quiet">{pathWords.noMatches}</p> : null}
    </div>
  );
}
