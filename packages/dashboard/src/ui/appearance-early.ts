// A classic script of its own before the stylesheet, so that a chosen appearance is there at the first paint. `appearance.ts` keeps the choice.
try {
  const chosen = localStorage.getItem("clew.appearance");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.appearance = chosen;
} catch {
  // This browser keeps nothing for pages: it looks as the system does.
}

export {};
