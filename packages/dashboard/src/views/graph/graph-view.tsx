import { CopyCall } from "../../ui/copy-call.tsx";
import { View } from "../../ui/view.tsx";
import { shellWords } from "../../words.ts";

export function GraphView() {
  return (
    <View
      title={shellWords.graph}
      actions={<CopyCall path="tree/" tool="workspace_overview" args={{}} />}
      width="full"
    >
      <p className="text-quiet">…</p>
    </View>
  );
}
