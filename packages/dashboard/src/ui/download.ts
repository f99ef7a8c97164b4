/** Has the browser save bytes as a file. Letters and digits alone are left of its name. */
export function downloadBlob(blob: Blob, name: string, ending = "png"): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${name.replaceAll(/[^\p{L}\p{N}]+/gu, "-").replaceAll(/^-+|(?<!-)-+$/g, "") || "clew"}.${ending}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
