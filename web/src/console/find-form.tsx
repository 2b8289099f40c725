// A search by name or id, with further filters beside it.
import { type ReactNode, useState } from 'react';
import { Button } from '../components/button.tsx';
import { Field } from '../components/field.tsx';

interface Props {
  readonly label: string;
  /** What was searched for, as the address says it. */
  readonly initial?: string;
  /** Called on every press, also for the same name. */
  readonly onFind: (name: string) => void;
  readonly children?: ReactNode;
}

export function FindForm({ label, initial = '', onFind, children }: Props) {
  const [typed, setTyped] = useState(initial);
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
