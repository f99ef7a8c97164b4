import { type ReactNode, useId, useLayoutEffect, useRef } from "react";

/** A modal dialog. The browser keeps the focus in it, closes it on Escape, and gives the focus back. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  title: string;
  /** Called when the person closes it; the parent then stops rendering it. */
  onClose: () => void;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className="card w-[min(32rem,calc(100vw-2rem))] p-6 shadow-2xl"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div className="grid gap-4">
        <h2 id={titleId} className="font-serif text-xl font-semibold">
          {title}
        </h2>
        {children}
      </div>
    </dialog>
  );
}
