import { useLiveWorkspaces } from "../../api/live-workspaces.ts";
import { ConnectSource } from "../../ui/connect-source.tsx";
import { useSpokenEnds } from "../../ui/spoken-ends.ts";
import { Empty, Loaded } from "../../ui/states.tsx";
import { View } from "../../ui/view.tsx";
import { workspaceWords } from "../../words.ts";
import { WorkspaceCard } from "./workspace-card.tsx";

/** The connected workspaces: how much of them Clew has, how fresh that is, and what can be done about it. */
export function WorkspacesView() {
  const query = useLiveWorkspaces();
  useSpokenEnds(query.data);
  const isAny = query.data !== undefined && query.data.length > 0;
  return (
    <View
      title={workspaceWords.title}
      actions={isAny ? <ConnectSource label={workspaceWords.connectAnother} /> : undefined}
    >
      <Loaded query={query}>
        {(workspaces) =>
          workspaces.length === 0 ? (
            <Empty
              title={workspaceWords.none}
              action={<ConnectSource label={workspaceWords.connect} isPrimary />}
            >
              {workspaceWords.noneWhat}
            </Empty>
          ) : (
            <div className="grid gap-4">
              {workspaces.map((workspace) => (
                <WorkspaceCard key={workspace.id} workspace={workspace} />
              ))}
            </div>
          )
        }
      </Loaded>
    </View>
  );
}
