// A labelled text of several lines to type into, with what is wrong with it below.
import { type ReactNode, type TextareaHTMLAttributes, useId } from 'react';

interface Props extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'className' | 'id'> {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly fault?: string | null;
  /** Read by programs. */
  readonly isCode?: boolean;
}

export function LongField({ label, hint, fault = null, isCode = false, ...rest }: Props) {
  const id = useId();
  const noteId = `${id}-note`;
  const note = fault ?? hint;
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-xs text-muted">
        {label}
      </label>
      <textarea
        rows={3}
        spellCheck={!isCode}
        {...rest}
        id={id}
        aria-invalid={fault !== null}
        aria-describedby={note === undefined ? undefined : noteId}
        className={`w-full rounded-md border bg-surface px-3 py-2 placeholder:text-muted ${isCode ? 'font-mono text-xs' : ''} ${fault === null ? 'border-line' : 'border-loss'}`}
      />
      {note !== undefined && (
        <p id={noteId} className={`text-xs ${fault === null ? 'text-muted' : 'text-loss'}`}>
          {note}
        </p>
      )}
    </div>
  );
}
