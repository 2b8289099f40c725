// Keys that work on every page, except in fields and while a dialog or a menu is open.
import { useEffect, useEffectEvent } from 'react';
import { navigation } from '../pages/page.ts';
import type { Overlay } from './overlay.ts';
import { useGo } from './use-go.ts';

/** After this long a lone g is forgotten. */
const SECOND_KEY_MS = 1_500;

export function useFrameKeys(onOpen: (overlay: Overlay) => void): void {
  const go = useGo();
  const open = useEffectEvent(onOpen);
  const goTo = useEffectEvent(go);
  useEffect(() => {
    let awaitsPageUntil = 0;
    const press = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        open('palette');
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTaken(event.target)) return;
      if (Date.now() < awaitsPageUntil) {
        awaitsPageUntil = 0;
        const page = navigation.find(({ nav }) => nav?.key === event.key);
        if (page !== undefined) goTo(page.path);
        return;
      }
      if (event.key === 'g') awaitsPageUntil = Date.now() + SECOND_KEY_MS;
      else if (event.key === '?') open('shortcuts');
      else if (event.key === '/') {
        event.preventDefault();
        open('palette');
      }
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

/** Whether a key belongs to a field, or to a dialog or menu above the page. */
export function isTaken(target: EventTarget | null): boolean {
  if (document.querySelector('dialog, [role="dialog"], [role="menu"]') !== null) return true;
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
  );
}
