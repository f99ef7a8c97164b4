import { useLiveWorkspaces } from "../../api/live-workspaces.ts";
import { signInUrl } from "../../session/urls.ts";
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
      actions={
        isAny ? (
          <a className="button" href={signInUrl}>
            {workspaceWords.connectAnother}
          </a>
        ) : undefined
      }
    >
      <Loaded query={query}>
        {(workspaces) =>
          workspaces.length === 0 ? (
            <Empty
              title={workspaceWords.none}
              action={
                <a className="button button-primary" href={signInUrl}>
                  {workspaceWords.connect}
                </a>
              }
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
