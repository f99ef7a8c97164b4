import { View } from "../../ui/view.tsx";
import { shellWords } from "../../words.ts";

export function GraphView() {
  return (
    <View title={shellWords.graph}>
      <p className="text-quiet">…</p>
    </View>
  );
}
