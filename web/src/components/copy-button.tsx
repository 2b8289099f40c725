// Puts a text on the clipboard and says that it did.
import { useEffect, useState } from 'react';
import { useTexts } from '../texts/use-texts.ts';
import { Icon } from './icon.tsx';
import { componentTexts } from './texts.ts';

const SHOWN_MS = 2_000;

export function CopyButton({ text, label }: { readonly text: string; readonly label?: string }) {
  const t = useTexts(componentTexts);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <button
      type="button"
      onClick={(event) => {
        // In a row that opens something, copying opens nothing.
        event.stopPropagation();
        navigator.clipboard.writeText(text).then(
          () => setCopied(true),
          () => undefined,
        );
      }}
      className="inline-flex h-7 shrink-0 items-center gap-1 whitespace-nowrap rounded-md px-2 text-xs text-muted hover:bg-accent-soft hover:text-text"
    >
      <Icon name={isCopied ? 'check' : 'copy'} />
      <span aria-live="polite">{isCopied ? t('copied') : (label ?? t('copy'))}</span>
    </button>
  );
}
