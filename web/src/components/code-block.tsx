// Something a program reads or writes, as it is, to be copied.
import { CopyButton } from './copy-button.tsx';

interface Props {
  readonly label: string;
  readonly text: string;
  /** Long lines are scrolled to unless they should be broken. */
  readonly isWrapped?: boolean;
}

export function CodeBlock({ label, text, isWrapped = false }: Props) {
  return (
    <figure className="min-w-0 overflow-hidden rounded-md border border-line bg-page">
      <figcaption className="flex h-9 items-center justify-between gap-2 border-b border-line pr-1 pl-3 text-xs text-muted">
        {label}
        <CopyButton text={text} />
      </figcaption>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className={`max-h-96 overflow-auto p-3 font-mono text-xs ${isWrapped ? 'wrap-anywhere whitespace-pre-wrap' : ''}`}
      >
        {text}
      </pre>
    </figure>
  );
}
