import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../api/app-context.ts";
import { workspacesQuery } from "../../api/queries.ts";
import { Loaded } from "../../ui/states.tsx";
import { View } from "../../ui/view.tsx";
import { workspaceWords } from "../../words.ts";

export function WorkspacesView() {
  const query = useQuery(workspacesQuery(useApi()));
  return (
    <View title={workspaceWords.title}>
      <Loaded query={query}>
        {(workspaces) => (
          <ul>
            {workspaces.map(({ id, name }) => (
              <li key={id}>{name}</li>
            ))}
          </ul>
        )}
      </Loaded>
    </View>
  );
}
