/** Moves the focus to the title of the view: what had it is gone, or another view has come. */
export function focusTitle(): void {
  document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
}
