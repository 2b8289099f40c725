// What there is to read about a market: its rules, how it is decided, what happened, what it is made of.
import type { Market } from '@sibyl/sdk';
import { memo } from 'react';
import { Card } from '../../../components/card.tsx';
import { later } from '../../../components/later.ts';
import { Tabs } from '../../../components/tabs.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { Rules } from './rules.tsx';
import { papersTexts } from './texts.ts';

/** Behind the first tab. */
const Timeline = later(() => import('./timeline.tsx'), 'Timeline');
const Activity = later(() => import('./activity.tsx'), 'Activity');
const About = later(() => import('./about.tsx'), 'About');

export const Papers = memo(function Papers({ market }: { readonly market: Market }) {
  const t = useTexts(papersTexts);
  return (
    <Card isFlush>
      <Tabs
        label={t('papers')}
        tabs={[
          {
            id: 'rules',
            label: t('rules'),
            content: <Rules market={market} />,
          },
          { id: 'timeline', label: t('timeline'), content: <Timeline market={market} /> },
          { id: 'activity', label: t('activity'), content: <Activity market={market} /> },
          { id: 'about', label: t('about'), content: <About market={market} /> },
        ]}
      />
    </Card>
  );
});
