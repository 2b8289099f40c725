// A button that shows a picture and says its name to those who cannot see it.
import type { ButtonHTMLAttributes, ReactNode } from 'react';

interface Props extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> {
  readonly label: string;
  readonly children: ReactNode;
}

export function IconButton({ label, children, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      title={label}
      className="inline-flex size-9 shrink-0 items-center justify-center rounded-md text-muted hover:bg-accent-soft hover:text-text aria-pressed:text-accent"
    >
      {children}
    </button>
  );
}
