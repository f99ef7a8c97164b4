import { zoomWords } from "../words.ts";
import { MinusIcon, PlusIcon } from "./icons.tsx";

/** The buttons in the corner of a picture: nearer, farther, and all of it, which `whole` names. Pictures write no name below `data-covers`. */
export function ZoomButtons({
  step,
  whole,
  onZoom,
  onWhole,
}: {
  step: number;
  whole: string;
  onZoom: (factor: number) => void;
  onWhole: () => void;
}) {
  return (
    <div data-covers className="absolute right-3 bottom-3 flex gap-2">
      <button
        type="button"
        className="button button-small px-2"
        aria-label={zoomWords.in}
        onClick={() => onZoom(step)}
      >
        <PlusIcon size={16} />
      </button>
      <button
        type="button"
        className="button button-small px-2"
        aria-label={zoomWords.out}
        onClick={() => onZoom(1 / step)}
      >
        <MinusIcon size={16} />
      </button>
      <button type="button" className="button button-small" onClick={onWhole}>
        {whole}
      </button>
    </div>
  );
}
