import { View } from "../../ui/view.tsx";
import { shellWords } from "../../words.ts";

export function ActivityView() {
  return (
    <View title={shellWords.activity}>
      <p className="text-quiet">…</p>
    </View>
  );
}
