import { View } from "../../ui/view.tsx";
import { shellWords } from "../../words.ts";

export function AccountView() {
  return (
    <View title={shellWords.yourAccount}>
      <p className="text-quiet">…</p>
    </View>
  );
}
