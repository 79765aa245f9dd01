// What does Escape call off? Whatever a hand drags just now, wherever on the screen. Only when nothing is held it means
// what it says on the "?" sheet, or closes a sheet.
let callOff: (() => void) | null = null;

/** Something is held from now on; call what comes back when it is let go. */
export function held(calledOff: () => void): () => void {
  callOff = calledOff;
  return () => {
    if (callOff === calledOff) callOff = null;
  };
}

window.addEventListener(
  "keydown",
  (event) => {
    if (event.key !== "Escape" || !callOff) return;
    event.preventDefault(); // a sheet stays open
    event.stopImmediatePropagation();
    const calledOff = callOff;
    callOff = null;
    calledOff();
  },
  { capture: true },
);
