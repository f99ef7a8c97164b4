import { markedPieces } from "./marked-pieces.ts";

/** A text whose marks stand out. A hostile text cannot reorder what is around it. */
export function MarkedText({ text, marks }: { text: string; marks: readonly (readonly number[])[] }) {
  return (
    <bdi>
      {markedPieces(text, marks).map((piece, index) =>
        piece.isMarked ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the text does not change.
          <mark key={index} className="rounded-sm bg-warn-soft font-medium text-ink">
            {piece.text}
          </mark>
        ) : (
          piece.text
        ),
      )}
    </bdi>
  );
}
