import { View } from "../../ui/view.tsx";
import { shellWords } from "../../words.ts";

export function TokensView() {
  return (
    <View title={shellWords.tokens}>
      <p className="text-quiet">…</p>
    </View>
  );
}
