import { lazyRouteComponent } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { loadChunk, preloadWhenIdle } from "../api/chunks.ts";

/* The views, each loaded when it is first opened, or before that while the browser is idle. */

const loads = new Set<() => Promise<unknown>>();

/** The component of a module that the router loads before it shows it. */
function view<Name extends string>(
  load: () => Promise<{ readonly [Key in Name]: () => ReactNode }>,
  name: Name,
) {
  loads.add(load);
  return lazyRouteComponent(() => loadChunk(load), name);
}

export const SearchView = view(() => import("../views/graph/search/search-view.tsx"), "SearchView");
export const PageView = view(() => import("../views/graph/page/page-view.tsx"), "PageView");
export const PathView = view(() => import("../views/graph/path/path-view.tsx"), "PathView");
export const MapView = view(() => import("../views/map/map-view.tsx"), "MapView");
export const ConnectView = view(() => import("../views/connect/connect-view.tsx"), "ConnectView");

const sections = () => import("./sections.ts");
export const WorkspacesView = view(sections, "WorkspacesView");
export const TokensView = view(sections, "TokensView");
export const NewTokenView = view(sections, "NewTokenView");
export const TokenView = view(sections, "TokenView");
export const ActivityView = view(sections, "ActivityView");
export const AccountView = view(sections, "AccountView");

/** Loads all views while the browser is idle: they then open at once, and also while Clew cannot be reached. */
export const preloadViews = (): void => preloadWhenIdle([...loads]);
