// Saves the whole trail, an entry a line, as `sibyl admin trail export` writes it.
import { operatorOperations } from '@sibyl/contract/console';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { send } from '../plane.ts';

const PAGE_ROWS = 500;

export function ExportButton() {
  const [count, setCount] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const gather = async (): Promise<void> => {
    setError(null);
    const lines: string[] = [];
    for (let cursor: string | null = null; ; ) {
      setCount(lines.length);
      const query = { limit: PAGE_ROWS, ...(cursor !== null && { cursor }) };
      const { data, nextCursor } = await send(operatorOperations.listTrail, { query });
      for (const entry of data as readonly unknown[]) lines.push(`${JSON.stringify(entry)}\n`);
      cursor = nextCursor;
      if (cursor === null) break;
    }
    save('trail.ndjson', lines);
  };
  return (
    <span className="flex flex-col items-end gap-2">
      <Button
        isBusy={count !== null}
        onClick={() => {
          gather()
            .catch(setError)
            .finally(() => setCount(null));
        }}
      >
        {count === null ? 'Export all' : `${count} entries…`}
      </Button>
      {error !== null && <ErrorNote error={error} />}
    </span>
  );
}

function save(file: string, lines: readonly string[]): void {
  const address = URL.createObjectURL(new Blob([...lines], { type: 'application/x-ndjson' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = file;
  link.click();
  URL.revokeObjectURL(address);
}
