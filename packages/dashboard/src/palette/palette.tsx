import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useApp } from "../api/app-context.ts";
import { recentChoices, rememberChoice, useRecentPages } from "../api/recent-choices.ts";
import { useTitleMatches } from "../api/title-matches.ts";
import { paths } from "../paths.ts";
import { Keys } from "../routes/shortcuts.tsx";
import { announce } from "../ui/announce.ts";
import { type ChoiceGroup, type ListChoice, useChoiceList } from "../ui/choices-list.tsx";
import { CommandIcon, SearchIcon } from "../ui/icons.tsx";
import { PageChoice } from "../views/graph/page-choice.tsx";
import type { Placed } from "../views/graph/place.ts";
import { typingWords } from "../words.ts";
import { type Action, matchingActions, useActions } from "./actions.ts";
import { paletteWords } from "./words.ts";

const mostPages = 8;
const mostLately = 6;
const mostActions = 5;

/** A dialog over every view: one field, and one list of pages and actions. */
export function Palette({ onClose, onHelp }: { onClose: () => void; onHelp: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [words, setWords] = useState("");
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  const groups = useGroups({ words, onClose, onHelp });
  const { field, press, list, isShown } = useChoiceList({
    label: paletteWords.label,
    className: "max-h-[min(26rem,60dvh)] overflow-y-auto p-1.5",
    groups,
    isOpen: true,
    marksFirst: true,
    words: words.trim(),
  });
  const pressKey = (event: KeyboardEvent) => {
    if (press(event)) event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it by keyboard.
    <dialog
      ref={dialog}
      aria-label={paletteWords.label}
      className="card mx-auto mt-[min(12dvh,7rem)] mb-auto w-[min(40rem,calc(100vw-1.5rem))] overflow-hidden shadow-2xl"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={({ target }) => {
        if (target === dialog.current) onClose();
      }}
    >
      <label className="flex items-center gap-3 border-b border-line px-4 focus-within:border-thread">
        <span className="text-quiet">
          <SearchIcon size={18} />
        </span>
        <input
          {...field}
          className="min-h-14 w-full bg-transparent text-lg outline-none"
          aria-label={paletteWords.hint}
          placeholder={paletteWords.hint}
          maxLength={200}
          value={words}
          onChange={({ target }) => setWords(target.value)}
          onKeyDown={pressKey}
        />
      </label>
      {list}
      {isShown ? null : <p className="px-4 py-4 text-quiet">{paletteWords.none}</p>}
    </dialog>
  );
}

/** The list: what was opened or done lately, then all actions; while the person types, what matches. */
function useGroups({
  words,
  onClose,
  onHelp,
}: {
  words: string;
  onClose: () => void;
  onHelp: () => void;
}): readonly ChoiceGroup[] {
  const { keeper } = useApp();
  const navigate = useNavigate();
  const actions = useActions({ onHelp });
  const opened = useRecentPages({ most: mostPages, isWanted: true });
  const text = words.trim();
  const { items = [], isCurrent } = useTitleMatches(words, mostPages);
  useEffect(() => {
    if (isCurrent) announce(typingWords.found(items.length));
  }, [isCurrent, items.length]);

  // The dialog gives the focus back to what had it, before the action moves it.
  const after = (run: () => void) => () => {
    onClose();
    run();
  };
  const pageChoice = (item: Placed): ListChoice => ({
    key: item.node.id,
    content: <PageChoice item={item} />,
    choose: after(() => void navigate({ to: paths.page, params: { pageId: item.node.id } })),
  });
  const actionChoice = (action: Action): ListChoice => ({
    key: action.name,
    content: (
      <>
        <span className="w-5 self-center text-quiet">
          <CommandIcon size={16} />
        </span>
        <span className="min-w-0 flex-1">{action.label}</span>
        {action.keys === undefined ? null : (
          <span className="max-sm:hidden">
            <Keys keys={action.keys} />
          </span>
        )}
      </>
    ),
    choose: after(() => {
      rememberChoice(keeper, { action: action.name });
      action.run();
    }),
  });
  if (text === "") {
    const lately = recentChoices(keeper).flatMap((choice) => {
      if ("page" in choice) {
        const node = opened.find(({ id }) => id === choice.page);
        return node === undefined ? [] : [pageChoice({ node })];
      }
      const action = actions.find(({ name }) => name === choice.action);
      return action === undefined ? [] : [actionChoice(action)];
    });
    const shown = lately.slice(0, mostLately);
    const others = actions.filter(({ name }) => !shown.some(({ key }) => key === name));
    return [
      { title: paletteWords.lately, choices: shown },
      { title: paletteWords.commands, choices: others.map(actionChoice) },
    ];
  }
  const search = (to: typeof paths.graph | typeof paths.ask): ListChoice => ({
    key: to,
    content: (
      <>
        <span className="w-5 self-center text-quiet">
          <SearchIcon size={16} />
        </span>
        <span className="min-w-0 flex-1">
          {to === paths.ask ? paletteWords.ask(text) : paletteWords.searchAll(text)}
        </span>
      </>
    ),
    choose: after(
      () =>
        void (to === paths.ask
          ? navigate({ to, search: { question: text } })
          : navigate({ to, search: { q: text } })),
    ),
  });
  return [
    {
      title: paletteWords.commands,
      choices: matchingActions(actions, text).slice(0, mostActions).map(actionChoice),
    },
    { title: paletteWords.pages, choices: items.map(pageChoice) },
    { title: paletteWords.more, choices: [search(paths.graph), search(paths.ask)] },
  ];
}
