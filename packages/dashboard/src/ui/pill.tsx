import type { ReactNode } from "react";
import { CheckIcon, ClockIcon, CrossIcon, SyncIcon, WarnIcon } from "./icons.tsx";

/** A state in a word and a sign, and a colour that repeats them. */
export function Pill({ kind, children }: { kind: keyof typeof kinds; children: ReactNode }) {
  const { Icon, look } = kinds[kind];
  return (
    <span
      className={`inline-flex items-center gap-1.5 rounded-full py-0.5 pr-2.5 pl-2 text-sm font-medium whitespace-nowrap ${look}`}
    >
      <Icon size={14} />
      {children}
    </span>
  );
}

const kinds = {
  good: { Icon: CheckIcon, look: "bg-good-soft text-good" },
  warn: { Icon: WarnIcon, look: "bg-warn-soft text-warn" },
  danger: { Icon: CrossIcon, look: "bg-danger-soft text-danger" },
  quiet: { Icon: ClockIcon, look: "bg-sunken text-quiet" },
  busy: { Icon: SyncIcon, look: "bg-thread-soft text-thread" },
};
