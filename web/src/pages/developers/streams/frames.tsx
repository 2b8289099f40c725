// The frames as they came, newest first; one of them whole beside them.
import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Card } from '../../../components/card.tsx';
import { CodeBlock } from '../../../components/code-block.tsx';
import { Empty } from '../../../components/empty.tsx';
import { Select } from '../../../components/select.tsx';
import { type Column, Table } from '../../../components/table.tsx';
import { clockTime } from '../../../format/times.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import { FRAMES_MAX, type LoggedFrame } from './frame-log.ts';
import { streamTexts } from './texts.ts';
import type { Console } from './use-console.ts';

const ANY = 'any';
const LINE_MAX = 160;

export function Frames({ console }: { readonly console: Console }) {
  const t = useTexts(streamTexts);
  const { log } = console;
  const [type, setType] = useState(ANY);
  const [chosen, setChosen] = useState<LoggedFrame | null>(null);
  const columns = useColumns(setChosen);
  const shown = type === ANY ? log.frames : log.frames.filter((frame) => frame.type === type);
  const choices = [
    { value: ANY, label: t('anyType') },
    ...log.types.map((value) => ({ value, label: value })),
  ];
  return (
    <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <Card
        isFlush
        title={t('frames')}
        aside={
          <div className="flex flex-wrap justify-end gap-2">
            <Select label={t('type')} value={type} choices={choices} onChoose={setType} />
            <Button aria-pressed={log.isPaused} onClick={() => console.pause(!log.isPaused)}>
              {t(log.isPaused ? 'resume' : 'pause')}
            </Button>
            <Button onClick={console.clear}>{t('clear')}</Button>
          </div>
        }
      >
        <Table
          label={t('frames')}
          columns={columns}
          rows={shown}
          keyOf={({ id }) => String(id)}
          onOpen={setChosen}
          empty={<Empty title={t('none')}>{t('noneText')}</Empty>}
        />
        <p className="border-t border-line px-4 py-2 text-xs text-muted" aria-live="off">
          {t('framesHint', { most: FRAMES_MAX })}{' '}
          {log.missed > 0 && t('missed', { count: log.missed })}
        </p>
      </Card>
      {chosen === null ? (
        <p className="hidden p-4 text-muted xl:block">{t('chooseFrame')}</p>
      ) : (
        <CodeBlock
          isWrapped
          label={`${t('frame')} ${chosen.type}`}
          text={JSON.stringify(chosen.whole, null, 2)}
        />
      )}
    </div>
  );
}

function useColumns(onChoose: (frame: LoggedFrame) => void): readonly Column<LoggedFrame>[] {
  const t = useTexts(streamTexts);
  const locale = useLocale();
  return [
    {
      id: 'time',
      title: t('time'),
      cell: ({ atMs }) => <span className="whitespace-nowrap">{clockTime(locale, atMs)}</span>,
    },
    {
      id: 'type',
      title: t('type'),
      cell: (frame) => (
        <button
          type="button"
          onClick={(event) => {
            event.stopPropagation();
            onChoose(frame);
          }}
          className="font-mono text-xs font-semibold whitespace-nowrap hover:underline"
        >
          {frame.type}
        </button>
      ),
    },
    {
      id: 'seq',
      title: t('number'),
      isFigure: true,
      cell: ({ seq }) => <span className="font-mono text-xs">{seq}</span>,
    },
    {
      id: 'data',
      title: t('data'),
      cell: ({ stream, whole }) => (
        <span className="line-clamp-1 min-w-48 font-mono text-xs break-all text-muted">
          {stream !== null && `${stream} `}
          {JSON.stringify(whole.data ?? whole).slice(0, LINE_MAX)}
        </span>
      ),
    },
  ];
}
