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
  file,
  tool,
  args,
  isSmall = false,
}: {
  /** The path below `/api/v1/`. */
  path: string;
  query?: Query;
  /** The file that curl writes, for an answer that is no text. */
  file?: string;
  tool: ToolName;
  args: Readonly<Record<string, unknown>>;
  /** Whether the button is a drawing alone. */
  isSmall?: boolean;
}) {
  const items = [
    [copyWords.curl, () => curlOf(clewUrl, path, query, file)],
    [copyWords.mcp, () => toolCallOf(tool, args)],
  ] as const;
  return (
    <Menu
      label={copyWords.call}
      button={
        <>
          <CopyIcon size={18} />
          {isSmall ? null : copyWords.call}
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
