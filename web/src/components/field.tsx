// A labelled line to type into, with what is wrong with it below.
import { type InputHTMLAttributes, type ReactNode, useId } from 'react';

interface Props extends Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'id'> {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly fault?: string | null;
  /** Stands at the right end, inside: a unit, or a button. */
  readonly suffix?: ReactNode;
}

export function Field({ label, hint, fault = null, suffix, ...rest }: Props) {
  const id = useId();
  const noteId = `${id}-note`;
  const note = fault ?? hint;
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-xs text-muted">
        {label}
      </label>
      <div
        className={`flex h-9 items-center gap-2 rounded-md border bg-surface px-3 focus-within:outline-2 focus-within:outline-accent ${fault === null ? 'border-line' : 'border-loss'}`}
      >
        <input
          autoComplete="off"
          spellCheck={false}
          {...rest}
          id={id}
          aria-invalid={fault !== null}
          aria-describedby={note === undefined ? undefined : noteId}
          className="w-full min-w-0 bg-transparent outline-none placeholder:text-muted"
        />
        {suffix !== undefined && <span className="shrink-0 text-muted">{suffix}</span>}
      </div>
      {note !== undefined && (
        <p id={noteId} className={`text-xs ${fault === null ? 'text-muted' : 'text-loss'}`}>
          {note}
        </p>
      )}
    </div>
  );
}
