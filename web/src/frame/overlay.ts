// What the frame shows above a page, one at a time, and how a page asks for it.

export type Overlay = 'palette' | 'shortcuts' | 'sign_in' | 'register' | null;

const EVENT = 'sibyl:overlay';

/** Opens something of the frame from within a page. */
export function openOverlay(overlay: Overlay): void {
  dispatchEvent(new CustomEvent(EVENT, { detail: overlay }));
}

export function onOverlay(listener: (overlay: Overlay) => void): () => void {
  const hear = (event: Event): void => {
    if (event instanceof CustomEvent) listener(event.detail);
  };
  addEventListener(EVENT, hear);
  return () => removeEventListener(EVENT, hear);
}
