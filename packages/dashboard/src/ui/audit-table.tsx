import type { AuditLine } from "@clew/client";
import { Link } from "@tanstack/react-router";
import { paths } from "../paths.ts";
import { activityWords } from "../words.ts";
import { Table } from "./table.tsx";
import { ExactTime } from "./time.tsx";
import { describeAgent } from "./user-agent.ts";

/** Lines of the audit trail: when, what, and from where. */
export function AuditTable({
  caption,
  lines,
  namesTokens = true,
}: {
  caption: string;
  lines: readonly AuditLine[];
  /** Whether a line names its token; all lines of a token's own trail would. */
  namesTokens?: boolean;
}) {
  return (
    <Table caption={caption} head={[activityWords.when, activityWords.what, activityWords.from]}>
      {lines.map((line) => (
        <tr key={line.id}>
          <td className="text-quiet whitespace-nowrap">
            <ExactTime value={line.at} />
          </td>
          <td className="min-w-52">
            <What line={namesTokens ? line : { ...line, token: null }} />
          </td>
          <td className="text-quiet whitespace-nowrap">
            {line.user_agent === null ? null : (
              <span className="block" title={line.user_agent}>
                {describeAgent(line.user_agent)}
              </span>
            )}
            <span className="font-mono text-sm">{line.address}</span>
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
