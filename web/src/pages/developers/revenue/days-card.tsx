// A card of figures by day, and by what else they are divided: an outline until they are known, words in their place where there are none.
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Card } from '../../../components/card.tsx';
import { ErrorNote } from '../../../components/error-note.tsx';
import { ListTools } from '../../../components/list-tools.tsx';
import { Segmented } from '../../../components/segmented.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { revenueTexts } from './texts.ts';
import type { Days } from './use-earnings.ts';

interface CardProps<Row> {
  readonly title: string;
  readonly file: ReactNode;
  readonly query: UseQueryResult<Days<Row>>;
  /** Whether a total says that nothing happened. */
  readonly isNothing: (total: Row) => boolean;
  readonly nothing: ReactNode;
  readonly children: (days: Days<Row>) => ReactNode;
}

export function DaysCard<Row>(props: CardProps<Row>) {
  const { title, file, query, isNothing, nothing, children } = props;
  const { data, error, refetch } = query;
  return (
    <Card title={title} isFlush aside={file}>
      {error !== null && <ErrorNote error={error} onRetry={() => refetch()} />}
      {error === null && data === undefined && (
        <div className="p-4">
          <Skeleton className="h-52 w-full" />
        </div>
      )}
      {data !== undefined && (isNothing(data.total) ? nothing : children(data))}
    </Card>
  );
}

interface BreakdownProps<By extends string> {
  /** What the figures are divided by beside days; the first is shown first. */
  readonly parts: readonly [Part<By>, ...Part<By>[]];
  readonly partTable: (by: By) => ReactNode;
  readonly dayTable: ReactNode;
}

interface Part<By extends string> {
  readonly value: By;
  readonly label: string;
}

/** The reader chooses the table. */
export function Breakdown<By extends string>(props: BreakdownProps<By>) {
  const { parts, partTable, dayTable } = props;
  const t = useTexts(revenueTexts);
  const [by, setBy] = useState<By | 'day'>(parts[0].value);
  return (
    <div className="border-t border-line">
      <ListTools>
        <span className="mr-auto">
          <Segmented<By | 'day'>
            label={t('by')}
            value={by}
            onChoose={setBy}
            choices={[...parts, { value: 'day', label: t('byDays') }]}
          />
        </span>
      </ListTools>
      {by === 'day' ? dayTable : partTable(by)}
    </div>
  );
}
