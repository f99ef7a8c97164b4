/** Has a screen reader say a text. */
export function announce(text: string): void {
  const place = document.getElementById("announcement");
  if (place !== null) place.textContent = text;
}
