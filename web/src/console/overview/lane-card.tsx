// One lane: whether it runs, in which mode, how far it is, and how to stop or resume it.
import type { OperatorOperations, OutputOf } from '@sibyl/contract/console';
import { Badge, type Tone } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { Figure } from '../../components/figure.tsx';
import { dateTime } from '../../format/times.ts';
import { useNames } from '../use-names.ts';

export type LaneState = OutputOf<OperatorOperations['getPlatform']>['lanes'][number];

const MODES: Readonly<Record<LaneState['mode'], { readonly tone: Tone; readonly words: string }>> =
  {
    normal: { tone: 'gain', words: 'normal' },
    read_only: { tone: 'warn', words: 'read only' },
    cancel_only: { tone: 'loss', words: 'halted, cancel only' },
  };

export function LaneCard({ state }: { readonly state: LaneState }) {
  const mode = MODES[state.mode];
  return (
    <Card
      title={state.lane === 'live' ? 'Live' : 'Sandbox'}
      aside={
        <span className="flex gap-2">
          <Badge tone={state.state === 'running' ? 'gain' : 'loss'}>
            {state.state.replace('_', ' ')}
          </Badge>
          <Badge tone={mode.tone}>{mode.words}</Badge>
        </span>
      }
    >
      {state.reason !== null && <p className="mb-3 text-loss">{state.reason}</p>}
      {state.mode_reason !== null && <WhyMode state={state} />}
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        <Count label="Command" value={state.seq} />
        <Count label="Pending commits" value={state.seq - state.durable_seq} />
        <Count label="History behind" value={Math.max(0, state.durable_seq - state.history_seq)} />
        <Count label="Accounts" value={state.accounts} />
        <Count label="Markets" value={state.markets} />
        <Count label="Open orders" value={state.orders_open} />
        <Count label="Orders ever" value={state.orders_taken} />
        <Count label="Fills ever" value={state.fills_made} />
      </dl>
    </Card>
  );
}

/** Who paused or halted it, when and why. */
function WhyMode({ state }: { readonly state: LaneState }) {
  const nameOf = useNames();
  const {
    mode_reason: reason,
    mode_message: message,
    mode_set_by: by,
    mode_set_at_ms: atMs,
  } = state;
  const who = by === null ? '' : ` by ${by === 'system' ? 'the lane itself' : nameOf(by)}`;
  const when = atMs === null ? '' : ` since ${dateTime('en', atMs)}`;
  return (
    <p className="mb-3 break-words">
      {MODES[state.mode].words}
      {when}
      {who}: <q>{reason}</q>
      <span className="block">
        {message === null ? 'Users read the standard words.' : 'Users read: '}
        {message !== null && <q>{message}</q>}
      </span>
    </p>
  );
}

function Count({ label, value }: { readonly label: string; readonly value: number }) {
  return <Figure label={label}>{new Intl.NumberFormat('en').format(value)}</Figure>;
}
