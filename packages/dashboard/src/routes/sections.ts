/* The views that are not about the graph. Together they are smaller than what each would repeat, so they are one part of the application. */

export { AccountView } from "../views/account/account-view.tsx";
export { ActivityView } from "../views/activity/activity-view.tsx";
export { NewTokenView } from "../views/tokens/new-token-view.tsx";
export { TokenView } from "../views/tokens/token-view.tsx";
export { TokensView } from "../views/tokens/tokens-view.tsx";
export { WorkspacesView } from "../views/workspaces/workspaces-view.tsx";
