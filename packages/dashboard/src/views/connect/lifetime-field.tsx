import { useState } from "react";
import { Field, SelectField } from "../../ui/field.tsx";
import { dateOf } from "../../ui/time.tsx";
import { connectWords } from "../../words.ts";
import { daysOf, mostDays, offeredDays } from "./consent.ts";

const dayMs = 86_400_000;

/** How long the program may read: one of some lifetimes, or a number of days. */
export function LifetimeField({
  days,
  error,
  onChange,
}: {
  days: string;
  error: string | undefined;
  onChange: (days: string) => void;
}) {
  const [isOther, setOther] = useState(!offeredDays.map(String).includes(days));
  const number = daysOf({ days });
  const until = number === null ? undefined : connectWords.until(dateOf(Date.now() + number * dayMs));
  return (
    <div className="grid gap-3">
      <SelectField
        label={connectWords.ends}
        hint={isOther ? undefined : until}
        value={isOther ? "other" : days}
        onChange={({ target }) => {
          setOther(target.value === "other");
          if (target.value !== "other") onChange(target.value);
        }}
      >
        {offeredDays.map((offered) => (
          <option key={offered} value={offered}>
            {connectWords.lifetimes[offered]}
          </option>
        ))}
        <option value="other">{connectWords.otherDays}</option>
      </SelectField>
      {isOther ? (
        <Field
          label={connectWords.days}
          hint={until ?? connectWords.daysHint}
          error={error}
          type="number"
          inputMode="numeric"
          min={1}
          max={mostDays}
          value={days}
          onChange={({ target }) => onChange(target.value)}
        />
      ) : null}
    </div>
  );
}
