// A labelled text of several lines to type into, with what is wrong with it below.
import type { TextareaHTMLAttributes } from 'react';
import { FieldFrame, type FieldWords } from './field-frame.tsx';

interface Props
  extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'className' | 'id'>,
    FieldWords {
  /** Read by programs. */
  readonly isCode?: boolean;
}

export function LongField({ label, hint, fault = null, isCode = false, ...rest }: Props) {
  return (
    <FieldFrame label={label} hint={hint} fault={fault}>
      {(tied) => (
        <textarea
          rows={3}
          spellCheck={!isCode}
          {...rest}
          {...tied}
          className={`w-full rounded-md border bg-surface px-3 py-2 placeholder:text-muted ${isCode ? 'font-mono text-xs' : ''} ${fault === null ? 'border-line' : 'border-loss'}`}
        />
      )}
    </FieldFrame>
  );
}
