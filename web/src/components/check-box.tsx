// One thing that is wanted or not.
import { useId } from 'react';

interface Props {
  readonly label: string;
  readonly hint?: string;
  /** A name of the interface rather than words. */
  readonly isCode?: boolean;
  readonly isChecked: boolean;
  readonly onToggle: (isChecked: boolean) => void;
}

export function CheckBox({ label, hint, isCode = false, isChecked, onToggle }: Props) {
  const id = useId();
  return (
    <div className="flex items-start gap-2">
      <input
        id={id}
        type="checkbox"
        checked={isChecked}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onToggle(event.target.checked)}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <div className="min-w-0">
        <label htmlFor={id} className={isCode ? 'font-mono text-xs break-all' : 'font-semibold'}>
          {label}
        </label>
        {hint !== undefined && (
          <p id={`${id}-hint`} className="text-xs text-muted">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
