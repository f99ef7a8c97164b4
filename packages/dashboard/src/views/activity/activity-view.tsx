import { View } from "../../ui/view.tsx";
import { activityWords } from "../../words.ts";
import { AuditTrail } from "./audit-trail.tsx";
import { Sessions } from "./sessions.tsx";

/** The sessions of the person, and the events of the account and its tokens. */
export function ActivityView() {
  return (
    <View title={activityWords.title}>
      <Sessions />
      <AuditTrail />
    </View>
  );
}
