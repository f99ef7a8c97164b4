export const accountWords = {
  provider: "Signed in with",
  email: "E-mail",
  since: "Since",
  lastSignIn: "Last sign-in",
  sessions: "See where you are signed in",
  signOutWhat: "Ends this session, in all tabs of this browser.",
  delete: "Delete account…",
  deleteHeading: "Delete your account",
  deleteTitle: "Delete your account?",
  deleteAction: "Delete account",
  deleteWord: "delete",
  deleteWhat:
    "Deletes your workspaces, graphs and tokens now, and signs you out everywhere. This can’t be undone.",
  deleteKept: "Your pages at the provider stay as they are.",
};
