import { useSyncExternalStore } from "react";
import { reachability } from "../api/reachability.ts";
import { Empty, Loading } from "../ui/states.tsx";
import { View } from "../ui/view.tsx";
import { outageWords } from "../words.ts";

/** A view that is not there yet. While Clew cannot be reached it says so; the notice above has the way to try again. */
export function Pending() {
  const isReached = useSyncExternalStore(reachability.subscribe, reachability.isReached);
  if (isReached) return <Loading />;
  return (
    <View title={outageWords.waiting}>
      <Empty title={outageWords.opensLater}>{outageWords.othersWork}</Empty>
    </View>
  );
}
