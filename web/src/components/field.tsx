// A labelled line to type into, with what is wrong with it below.
import type { InputHTMLAttributes, ReactNode } from 'react';
import { FieldFrame, type FieldWords } from './field-frame.tsx';

interface Props
  extends Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'id'>,
    FieldWords {
  /** Stands at the right end, inside: a unit, or a button. */
  readonly suffix?: ReactNode;
}

export function Field({ label, hint, fault = null, suffix, ...rest }: Props) {
  return (
    <FieldFrame label={label} hint={hint} fault={fault}>
      {(tied) => (
        <div
          className={`flex h-9 items-center gap-2 rounded-md border bg-surface px-3 focus-within:outline-2 focus-within:outline-accent ${fault === null ? 'border-line' : 'border-loss'}`}
        >
          <input
            autoComplete="off"
            spellCheck={false}
            {...rest}
            {...tied}
            className="w-full min-w-0 bg-transparent outline-none placeholder:text-muted"
          />
          {suffix !== undefined && <span className="shrink-0 text-muted">{suffix}</span>}
        </div>
      )}
    </FieldFrame>
  );
}
