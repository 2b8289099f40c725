// A name that somebody is looked for by, and what else narrows it down.
import { type ReactNode, useState } from 'react';
import { Button } from '../components/button.tsx';
import { Field } from '../components/field.tsx';

interface Props {
  readonly label: string;
  /** Told as often as it is asked for, the same name too. */
  readonly onFind: (name: string) => void;
  readonly children?: ReactNode;
}

export function FindForm({ label, onFind, children }: Props) {
  const [typed, setTyped] = useState('');
  return (
    <form
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        onFind(typed.trim());
      }}
    >
      <div className="w-full max-w-md">
        <Field
          label={label}
          type="search"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </div>
      <Button type="submit" kind="primary">
        Find
      </Button>
      {children}
    </form>
  );
}
