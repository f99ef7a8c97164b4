import type { Source, Workspace } from "@clew/client";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../api/app-context.ts";
import { explain } from "../api/explain.ts";
import { sourcesQuery } from "../api/queries.ts";
import { signInUrl } from "../session/urls.ts";
import { sourceWords } from "../words.ts";
import { Menu } from "./menu.tsx";
import { showToast } from "./toast.tsx";

interface ConnectSourceProps {
  readonly label: string;
  /** The only source that is of interest; without it, the person chooses. */
  readonly provider?: string;
  readonly isPrimary?: boolean;
  /** Another class than that of a button. */
  readonly look?: string;
}

/**
 * The way to connect a workspace: with one source a link to its sign-in, with several a choice. What is chosen is added to the account
 * that is signed in.
 */
export function ConnectSource({
  label,
  provider,
  isPrimary = false,
  look = isPrimary ? "button button-primary" : "button",
}: ConnectSourceProps) {
  const { sources, add } = useSources();
  const [only, ...others] = sources.filter(
    (source) => provider === undefined || source.provider === provider,
  );
  if (sources.length < 2)
    return (
      <a className={look} href={signInUrl}>
        {label}
      </a>
    );
  if (only !== undefined && others.length === 0)
    return (
      <button type="button" className={look} onClick={() => add(only)}>
        {label}
      </button>
    );
  return (
    <Menu label={label} button={label} look={look}>
      {sources.map((source) => (
        <button
          key={source.provider}
          type="button"
          className="menu-button w-full justify-between"
          onClick={() => add(source)}
        >
          {source.name}
          <span className="text-quiet">{sourceWords.kinds[source.kind]}</span>
        </button>
      ))}
    </Menu>
  );
}

/** The name of a workspace's source if there are several, and it says more than the workspace's own; undefined otherwise. */
export function useSourceName({ provider, name }: Workspace): string | undefined {
  const { sources } = useSources();
  const source = sources.find((each) => each.provider === provider);
  if (sources.length < 2 || source === undefined) return undefined;
  return source.name === name ? sourceWords.folder : source.name;
}

/** The sources of this Clew, and a function that begins to add one to the account. */
function useSources() {
  const api = useApi();
  const sources: readonly Source[] = useQuery(sourcesQuery(api)).data ?? [];
  const add = ({ provider, name }: Source) => {
    api.addSource({ provider }).then(
      ({ url }) => location.assign(url),
      (error: unknown) => showToast(sourceWords.notAdded(name, explain(error))),
    );
  };
  return { sources, add };
}
