// What fees of others brought, to whoever made the market, built the app or invited the trader; and what was traded through apps and keys.
import { useState } from 'react';
import { Segmented } from '../../../components/segmented.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { AccountNeeded } from '../account-needed.tsx';
import { DevelopersLayout } from '../layout.tsx';
import { Brought } from './brought.tsx';
import { Earned } from './earned.tsx';
import { revenueTexts } from './texts.ts';
import { Traded } from './traded.tsx';
import { type Span, spans } from './use-earnings.ts';

export function Page() {
  return (
    <AccountNeeded texts={revenueTexts}>
      <Revenue />
    </AccountNeeded>
  );
}

function Revenue() {
  const t = useTexts(revenueTexts);
  const [span, setSpan] = useState<Span>('30');
  return (
    <DevelopersLayout
      title={t('title')}
      aside={
        <Segmented<Span>
          label={t('span')}
          value={span}
          onChoose={setSpan}
          choices={spans.map((value) => ({ value, label: t('days', { count: Number(value) }) }))}
        />
      }
    >
      <Earned span={span} />
      <Brought span={span} />
      <Traded span={span} />
    </DevelopersLayout>
  );
}
