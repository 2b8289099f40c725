// The one button. When it is disabled it says why, next to it, and a screen reader hears it too.
import { type ButtonHTMLAttributes, type ReactNode, useId } from 'react';

export type ButtonKind = 'primary' | 'plain' | 'quiet' | 'gain' | 'loss' | 'danger';

const kinds: Readonly<Record<ButtonKind, string>> = {
  primary: 'bg-accent text-on-accent hover:opacity-90',
  plain: 'border border-line bg-surface hover:border-muted',
  quiet: 'text-muted hover:bg-accent-soft hover:text-text',
  gain: 'bg-gain-soft text-gain hover:bg-gain hover:text-surface',
  loss: 'bg-loss-soft text-loss hover:bg-loss hover:text-surface',
  danger: 'bg-loss text-surface hover:opacity-90',
};

const sizes = {
  small: 'h-7 px-2 text-xs',
  medium: 'h-9 px-3',
  large: 'h-11 px-4 text-base',
} as const;

interface Props extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled' | 'className'> {
  readonly kind?: ButtonKind;
  readonly size?: keyof typeof sizes;
  readonly isWide?: boolean;
  readonly isBusy?: boolean;
  /** Why it cannot be pressed; null if it can. */
  readonly refusal?: string | null;
  readonly children: ReactNode;
}

export function Button({
  kind = 'plain',
  size = 'medium',
  isWide = false,
  isBusy = false,
  refusal = null,
  children,
  ...rest
}: Props) {
  const reasonId = useId();
  const button = (
    <button
      type="button"
      {...rest}
      disabled={refusal !== null || isBusy}
      aria-busy={isBusy}
      aria-describedby={refusal === null ? rest['aria-describedby'] : reasonId}
      className={`inline-flex items-center justify-center gap-2 rounded-md font-semibold whitespace-nowrap transition-colors duration-100 disabled:opacity-50 ${kinds[kind]} ${sizes[size]} ${isWide ? 'w-full' : ''}`}
    >
      {children}
    </button>
  );
  if (refusal === null || refusal === '') return button;
  return (
    <span className={isWide ? 'flex w-full flex-col gap-1' : 'inline-flex flex-col gap-1'}>
      {button}
      <span id={reasonId} className="text-xs text-muted">
        {refusal}
      </span>
    </span>
  );
}
