import { type ReactNode, useEffect } from "react";
import { brand } from "../words.ts";

/** The frame of every view: its title on the page and in the browser, and what can be done here. */
export function View({
  title,
  tabTitle = title,
  icon,
  lead,
  actions,
  menu,
  width = "wide",
  children,
}: {
  title: string;
  /** The title in the browser, if it says more. */
  tabTitle?: string;
  icon?: ReactNode;
  /** One line below the title. */
  lead?: ReactNode;
  actions?: ReactNode;
  /** The actions for narrow windows, beside the title; the same as in wide ones if absent. */
  menu?: ReactNode;
  /** `text` for forms and prose, `wide` for tables and cards, `full` for pictures. */
  width?: "text" | "wide" | "full";
  children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${tabTitle} · ${brand}`;
  }, [tabTitle]);
  return (
    <div className={`grid grid-cols-[minmax(0,1fr)] gap-4 md:gap-8 ${widths[width]}`}>
      <header
        className={`flex items-end justify-between gap-x-6 gap-y-3 ${menu === undefined ? "flex-wrap" : "md:flex-wrap"}`}
      >
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-1">
          <h1 tabIndex={-1} className="text-2xl wrap-anywhere md:text-3xl">
            {icon === undefined ? null : <span className="mr-2">{icon}</span>}
            <bdi>{title}</bdi>
          </h1>
          {lead === undefined ? null : <p className="min-w-0 text-quiet">{lead}</p>}
        </div>
        {actions === undefined ? null : (
          <div className={`flex flex-wrap gap-3 ${menu === undefined ? "" : "max-md:hidden"}`}>{actions}</div>
        )}
        {menu === undefined ? null : <div className="-mr-3 self-start md:hidden">{menu}</div>}
      </header>
      {children}
    </div>
  );
}

const widths = { text: "max-w-2xl", wide: "max-w-6xl", full: "" };
