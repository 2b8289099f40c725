// Saves everything that is kept of somebody as a file, with a count while it is gathered.
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { saveFile } from '../../format/save-file.ts';
import { useClient, useSession } from '../../session/use-session.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { leavingTexts } from './leaving-texts.ts';
import { ownData } from './own-data.ts';

export function SaveData() {
  const t = useTexts(leavingTexts);
  const client = useClient();
  const session = useSession();
  const [count, setCount] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const gathering = useRef<AbortController | null>(null);
  useEffect(() => () => gathering.current?.abort(), []);
  const save = async (token: string): Promise<void> => {
    const controller = new AbortController();
    const { signal } = controller;
    gathering.current = controller;
    setError(null);
    setCount(0);
    try {
      const data = await ownData({ client, token, signal, onRows: setCount });
      saveFile('sibyl-data.json', JSON.stringify(data, null, 2), 'application/json');
    } catch (fault) {
      if (!signal.aborted) setError(fault);
    }
    setCount(null);
  };
  return (
    <>
      <span className="flex flex-wrap items-center gap-3">
        <Button
          isBusy={count !== null}
          onClick={() => {
            if (session.status === 'signed_in') save(session.token).catch(() => undefined);
          }}
        >
          {t('export')}
        </Button>
        {count !== null && (
          <span className="text-muted" aria-live="polite">
            {t('gathered', { count })}
          </span>
        )}
      </span>
      {error !== null && <ErrorNote error={error} />}
    </>
  );
}
