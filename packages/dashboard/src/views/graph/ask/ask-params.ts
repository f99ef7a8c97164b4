import { textParam, withoutUndefined } from "../../../url-params.ts";

/** The parameters in the URL of a question. */
export interface AskSearch {
  readonly question?: string;
  /** The page that the question is about. */
  readonly near?: string;
  readonly workspace?: string;
  /** The most tokens of the passages. */
  readonly tokens?: number;
}

/** The choices for the size of an answer; the standard is that of the tool. */
export const tokenChoices = [1_000, 4_000, 8_000, 16_000] as const;
export const standardTokens = 4_000;

/** The most characters that a question may have, as in the search in texts. */
export const maxQuestion = 500;

/** Reads the URL's parameters; invalid ones are left out. */
export function readAskSearch(raw: Readonly<Record<string, unknown>>): AskSearch {
  const tokens = tokenChoices.find((each) => each === raw.tokens);
  return withoutUndefined({
    question: textParam(raw, "question"),
    near: textParam(raw, "near"),
    workspace: textParam(raw, "workspace"),
    tokens: tokens === standardTokens ? undefined : tokens,
  });
}

/** The request of `context/` that answers, and the same as arguments of the tool. */
export function requestOf({ question, near, workspace, tokens = standardTokens }: AskSearch) {
  return {
    query: {
      ...(question !== undefined && { q: [...question.trim()].slice(0, maxQuestion).join("") }),
      ...(near !== undefined && { id: near }),
      ...(workspace !== undefined && { workspace_id: workspace }),
      max_tokens: tokens,
    },
    args: {
      ...(question !== undefined && { question: question.trim() }),
      ...(near !== undefined && { near }),
      ...(workspace !== undefined && { workspace }),
      max_tokens: tokens,
    },
  };
}
