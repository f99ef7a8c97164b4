import { Field, SelectField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { dateOf } from "../../ui/time.tsx";
import { newTokenWords } from "../../words.ts";
import { dateAfter, daysOf, type Expiry, offeredDays } from "./draft.ts";
import { maxDays } from "./limits.ts";

const dayMs = 86_400_000;

/** The expiry of the token, with the date that follows, and a warning if there is none. */
export function ExpiryFields({
  expiry,
  error,
  onChange,
}: {
  expiry: Expiry;
  error: string | undefined;
  onChange: (expiry: Expiry) => void;
}) {
  const now = Date.now();
  const choose = (value: string) => {
    if (value === "never") onChange({ kind: "never" });
    else if (value === "date") onChange({ kind: "date", date: dateAfter(daysOf(expiry, now) ?? 90, now) });
    else onChange({ kind: "days", days: Number(value) });
  };
  return (
    <div className="grid gap-3">
      <SelectField
        label={newTokenWords.expires}
        hint={expiry.kind === "days" ? newTokenWords.until(dateOf(now + expiry.days * dayMs)) : undefined}
        value={expiry.kind === "days" ? String(expiry.days) : expiry.kind}
        onChange={({ target }) => choose(target.value)}
      >
        {offeredDays.map((days) => (
          <option key={days} value={days}>
            {newTokenWords.expiries[days]}
          </option>
        ))}
        <option value="date">{newTokenWords.onDate}</option>
        <option value="never">{newTokenWords.never}</option>
      </SelectField>
      {expiry.kind === "date" ? (
        <Field
          label={newTokenWords.date}
          error={error}
          type="date"
          min={dateAfter(1, now)}
          max={dateAfter(maxDays - 1, now)}
          value={expiry.date}
          onChange={({ target }) => onChange({ kind: "date", date: target.value })}
        />
      ) : null}
      {expiry.kind === "never" ? <Notice kind="warn">{newTokenWords.neverWarning}</Notice> : null}
    </div>
  );
}
