// Whether the money of each lane adds up, on every page: the last report, how old it is, and what it found.
import type { OperatorOperations, OutputOf } from '@sibyl/contract/console';
import { Icon } from '../../components/icon.tsx';
import { ago, duration } from '../../format/times.ts';
import { useNow } from '../../live/use-now.ts';
import { type Lane, lanes } from '../lane.tsx';
import { useAsk } from '../use-ask.ts';

type State = OutputOf<OperatorOperations['getReconciliation']>;

const EVERY_MS = 5_000;

export function ReconciliationBar() {
  return (
    <section aria-label="Reconciliation" className="border-b border-line bg-surface">
      <ul className="mx-auto flex max-w-[90rem] flex-wrap gap-x-6 gap-y-1 px-4 py-1.5 text-xs sm:px-6">
        {lanes.map((lane) => (
          <LaneReport key={lane} lane={lane} />
        ))}
        <SilentCustody />
      </ul>
    </section>
  );
}

/** Said where the money is looked at: until the custody answers, nobody is paid. */
function SilentCustody() {
  const { data } = useAsk('getPlatform', {}, { everyMs: EVERY_MS });
  const nowMs = useNow();
  const custody = data?.custody ?? null;
  if (custody?.silent_since_at_ms == null) return null;
  const { name, reason, silent_since_at_ms: sinceMs, payouts_unclear: payouts } = custody;
  return (
    <li role="alert" className="flex items-center gap-1.5 font-semibold text-loss">
      <Icon name="warn" />
      <span>
        {`Custody ${name}: no clear answer for ${duration('en', nowMs - sinceMs)} (${reason}), ${payouts} payouts unclear`}
      </span>
    </li>
  );
}

function LaneReport({ lane }: { readonly lane: Lane }) {
  const { data, isError } = useAsk('getReconciliation', { query: { lane } }, { everyMs: EVERY_MS });
  const nowMs = useNow();
  const name = lane === 'live' ? 'Live' : 'Sandbox';
  if (data === undefined) {
    return <li className="text-muted">{isError ? `${name}: not known` : `${name}: …`}</li>;
  }
  const { tone, words } = verdictOf(data, nowMs);
  return (
    <li className={`flex items-center gap-1.5 font-semibold ${tone}`}>
      <Icon name={tone === 'text-gain' ? 'check' : 'warn'} />
      <span>
        {name}: {words}
      </span>
    </li>
  );
}

function verdictOf({ run, report }: State, nowMs: number) {
  if (run?.state === 'running') {
    return { tone: 'text-muted', words: `reconciling, at command ${run.seq} of ${run.head_seq}` };
  }
  if (run?.state === 'failed') {
    return { tone: 'text-loss', words: `the last reconciliation failed: ${run.error ?? ''}` };
  }
  if (report === null) return { tone: 'text-warn', words: 'never reconciled' };
  const age = ago('en', nowMs - report.taken_at_ms);
  if (report.balanced) {
    const words = `balanced, sum ${report.sum} at command ${report.seq}, ${age}`;
    const { custody } = report;
    if (custody?.state !== 'moving') return { tone: 'text-gain', words };
    const { name, difference_least: least, difference_most: most } = custody;
    const moving = `custody ${name} was never still, between ${least} and ${most} apart`;
    return { tone: 'text-warn', words: `${words}; ${moving}` };
  }
  const broken = report.invariants.find(({ holds }) => !holds);
  const what = broken === undefined ? `sum ${report.sum}` : `${broken.rule}: ${broken.detail}`;
  return { tone: 'text-loss', words: `NOT BALANCED at command ${report.seq}, ${age} (${what})` };
}
