// The theme the reader chose, or the system's; the same wherever it is shown.
import { useSyncExternalStore } from 'react';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const STORED = 'sibyl.theme';
const EVENT = 'sibyl:theme';

export function nextTheme(theme: Theme): Theme {
  if (theme === 'system') return 'light';
  return theme === 'light' ? 'dark' : 'system';
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  return [useSyncExternalStore(subscribe, storedTheme), chooseTheme];
}

function subscribe(listener: () => void): () => void {
  addEventListener(EVENT, listener);
  return () => removeEventListener(EVENT, listener);
}

function storedTheme(): Theme {
  const stored = localStorage.getItem(STORED);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

function chooseTheme(theme: Theme): void {
  if (theme === 'system') {
    localStorage.removeItem(STORED);
    delete document.documentElement.dataset.theme;
  } else {
    localStorage.setItem(STORED, theme);
    document.documentElement.dataset.theme = theme;
  }
  dispatchEvent(new Event(EVENT));
}
