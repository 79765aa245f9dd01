// What does Escape call off? Whatever a hand drags just now, wherever on the screen. Only when nothing is held it means
// what it says on the "?" sheet, or closes a sheet.
let cancelCurrent: (() => void) | null = null;

/** Something is held from now on; call what comes back when it is let go. */
export function onEscape(cancel: () => void): () => void {
  cancelCurrent = cancel;
  return () => {
    if (cancelCurrent === cancel) cancelCurrent = null;
  };
}

window.addEventListener(
  "keydown",
  (event) => {
    if (event.key !== "Escape" || !cancelCurrent) return;
    event.preventDefault(); // a sheet stays open
    event.stopImmediatePropagation();
    const cancel = cancelCurrent;
    cancelCurrent = null;
    cancel();
  },
  { capture: true },
);
