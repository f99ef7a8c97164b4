// The folders' thread, but that no expression comes to an end that reads a text with this word, other than those that decode files.

const word = "neverending";
const exec = RegExp.prototype.exec;
RegExp.prototype.exec = function (text) {
  if (String(text).includes(word) && !new Error().stack?.includes("scanned-file.ts")) for (;;);
  return exec.call(this, text);
};
await import("../provider/worker.ts");
