// What stands around something to type into: its label, and a hint or what is wrong with it below.
import { type ReactNode, useId } from 'react';

export interface FieldWords {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly fault?: string | null;
}

/** What ties it to its label and its note. */
interface Tied {
  readonly id: string;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby': string | undefined;
}

interface Props extends FieldWords {
  readonly children: (tied: Tied) => ReactNode;
}

export function FieldFrame({ label, hint, fault = null, children }: Props) {
  const id = useId();
  const noteId = `${id}-note`;
  const note = fault ?? hint;
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-xs text-muted">
        {label}
      </label>
      {children({
        id,
        'aria-invalid': fault !== null,
        'aria-describedby': note === undefined ? undefined : noteId,
      })}
      {note !== undefined && (
        <p id={noteId} className={`text-xs ${fault === null ? 'text-muted' : 'text-loss'}`}>
          {note}
        </p>
      )}
    </div>
  );
}
