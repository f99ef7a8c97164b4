import type { AuditLine } from "@clew/client";
import { Link } from "@tanstack/react-router";
import { paths } from "../routes/paths.ts";
import { activityWords } from "../words.ts";
import { Table } from "./table.tsx";
import { ExactTime } from "./time.tsx";

/** Lines of the audit trail: when, what, and from where. */
export function AuditTable({ caption, lines }: { caption: string; lines: readonly AuditLine[] }) {
  return (
    <Table caption={caption} head={[activityWords.when, activityWords.what, activityWords.from]}>
      {lines.map((line) => (
        <tr key={line.id}>
          <td className="text-quiet whitespace-nowrap">
            <ExactTime value={line.at} />
          </td>
          <td className="min-w-52">
            <What line={line} />
          </td>
          <td className="text-quiet">
            {line.address}
            <span className="block max-w-80 truncate text-sm" title={line.user_agent ?? undefined}>
              {line.user_agent}
            </span>
          </td>
        </tr>
      ))}
    </Table>
  );
}

function What({ line: { event, token, reason } }: { line: AuditLine }) {
  const why = reason === null ? null : (activityWords.reasons[reason] ?? reason.replaceAll("_", " "));
  return (
    <>
      <span className={event === "token_refused" ? "font-medium text-danger" : "font-medium"}>
        {activityWords.events[event]}
      </span>
      {token === null ? null : (
        <>
          {": "}
          <Link className="link" to={paths.token} params={{ tokenId: String(token.id) }}>
            {token.name}
          </Link>{" "}
          <code className="font-mono text-sm text-quiet">{token.prefix}…</code>
        </>
      )}
      {why === null ? null : <span className="block text-sm text-quiet">{why}</span>}
    </>
  );
}
