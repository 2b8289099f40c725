// The state of the console's connection.
import type { SocketState } from '@sibyl/sdk';
import { Badge, type Tone } from '../../../components/badge.tsx';
import { Figure } from '../../../components/figure.tsx';
import { latency } from '../../../format/latency.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import { streamTexts } from './texts.ts';
import type { Console } from './use-console.ts';

const tones: Readonly<Record<SocketState, Tone>> = {
  idle: 'neutral',
  connecting: 'accent',
  open: 'gain',
  waiting: 'warn',
  closed: 'loss',
};

export function ConnectionFacts({ console }: { readonly console: Console }) {
  const t = useTexts(streamTexts);
  const locale = useLocale();
  const { state, identity, roundTripMs } = console;
  return (
    <dl className="grid grid-cols-2 gap-4 sm:grid-cols-3">
      <Figure label={t('connection')}>
        <Badge tone={tones[state]}>{t(state)}</Badge>
      </Figure>
      <Figure label={t('roundTrip')}>
        {latency(locale, roundTripMs === null ? null : roundTripMs * 1_000)}
      </Figure>
      <Figure label={t('identity')}>
        {identity === null ? (
          <span className="text-sm font-normal text-muted">{t('anonymous')}</span>
        ) : (
          <code className="font-mono text-sm">{identity.accountId}</code>
        )}
      </Figure>
    </dl>
  );
}
