// Whether somebody is at the console. Figures that are asked for by themselves would keep a forgotten session open for ever:
// when nobody has touched the page for a while they stop, and the session ends in its time.
const IDLE_MS = 10 * 60_000;

let touchedAtMs = Date.now();

export function isIdle(): boolean {
  return Date.now() - touchedAtMs > IDLE_MS;
}

/** Calls back when somebody returns after a while. */
export function watchActivity(onReturn: () => void): void {
  const touch = (): void => {
    const wasIdle = isIdle();
    touchedAtMs = Date.now();
    if (wasIdle) onReturn();
  };
  for (const kind of ['pointerdown', 'keydown', 'wheel']) {
    addEventListener(kind, touch, { passive: true });
  }
}
