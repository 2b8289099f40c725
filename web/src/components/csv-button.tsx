// Saves a list as a file: all of it, however many pages it has, with a count while it is gathered.
import { useEffect, useRef, useState } from 'react';
import { csvOf } from '../format/csv.ts';
import { saveFile } from '../format/save-file.ts';
import { errorSentence } from '../texts/errors.ts';
import { useLocale, useTexts } from '../texts/use-texts.ts';
import { Button } from './button.tsx';
import { componentTexts } from './texts.ts';
import { useNote } from './toasts.tsx';

export type CsvRow = readonly string[];

interface Props {
  /** Of the file, without its ending. */
  readonly name: string;
  readonly header: readonly string[];
  /** Gives the rows in portions; ends early when the signal says so. */
  readonly rows: (signal: AbortSignal) => AsyncIterable<readonly CsvRow[]>;
}

export function CsvButton({ name, header, rows }: Props) {
  const t = useTexts(componentTexts);
  const locale = useLocale();
  const note = useNote();
  const [count, setCount] = useState<number | null>(null);
  const gathering = useRef<AbortController | null>(null);
  useEffect(() => () => gathering.current?.abort(), []);

  const gather = async (): Promise<void> => {
    const controller = new AbortController();
    gathering.current = controller;
    setCount(0);
    const all: CsvRow[] = [];
    try {
      for await (const portion of rows(controller.signal)) {
        if (controller.signal.aborted) return;
        all.push(...portion);
        setCount(all.length);
      }
      if (!controller.signal.aborted) saveFile(`${name}.csv`, csvOf(header, all), 'text/csv');
    } catch (error) {
      if (!controller.signal.aborted) note(t('notSaved'), errorSentence(locale, error));
    } finally {
      if (gathering.current === controller) {
        gathering.current = null;
        setCount(null);
      }
    }
  };

  if (count === null) {
    return (
      <Button
        size="small"
        aria-label={t('saveCsv')}
        onClick={() => {
          gather().catch(() => undefined);
        }}
      >
        CSV
      </Button>
    );
  }
  return (
    <Button
      size="small"
      onClick={() => {
        gathering.current?.abort();
        gathering.current = null;
        setCount(null);
      }}
    >
      <span aria-live="polite">{t('gathering', { count })}</span>
    </Button>
  );
}
