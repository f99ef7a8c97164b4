import type { ToolName } from "@clew/contract";
import { clewUrl } from "../session/urls.ts";
import { copyWords } from "../words.ts";
import { curlOf, type Query, toolCallOf } from "./call-text.ts";
import { copyText } from "./copy.tsx";
import { CopyIcon } from "./icons.tsx";
import { Menu } from "./menu.tsx";

/** The request with which an agent or a script gets the same data as the view: as curl, or as a call of a tool. */
export function CopyCall({
  path,
  query = {},
  tool,
  args,
}: {
  /** The path below `/api/v1/`. */
  path: string;
  query?: Query;
  tool: ToolName;
  args: Readonly<Record<string, unknown>>;
}) {
  const items = [
    [copyWords.curl, () => curlOf(clewUrl, path, query)],
    [copyWords.mcp, () => toolCallOf(tool, args)],
  ] as const;
  return (
    <Menu
      label={copyWords.call}
      button={
        <>
          <CopyIcon size={18} />
          {copyWords.call}
        </>
      }
    >
      {items.map(([label, text]) => (
        <button
          key={label}
          type="button"
          className="menu-button w-full"
          onClick={() => copyText(text(), label)}
        >
          {label}
        </button>
      ))}
      <p className="max-w-60 px-3 pt-1 pb-2 text-sm text-quiet">{copyWords.callHint}</p>
    </Menu>
  );
}
