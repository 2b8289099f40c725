// Acts that wait for a second operator, with what was asked for and why; and those that were decided.
import {
  type AnyOperation,
  type ApprovalRequest,
  operatorOperations,
} from '@sibyl/contract/console';
import { useState } from 'react';
import { Badge, type Tone } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { ago, dateTime } from '../../format/times.ts';
import { useNow } from '../../live/use-now.ts';
import { ActButton } from '../acts/act-button.tsx';
import { Facts } from '../acts/facts.tsx';
import { useIdentity } from '../session/use-session.ts';
import { useAsk } from '../use-ask.ts';
import { useNames } from '../use-names.ts';

const EVERY_MS = 5_000;

/** What waits may be of another build. */
const operations: Readonly<Record<string, AnyOperation>> = operatorOperations;

const TONES: Readonly<Partial<Record<ApprovalRequest['state'], Tone>>> = {
  waiting: 'warn',
  running: 'accent',
  done: 'gain',
  failed: 'loss',
};

export function Approvals() {
  const [shown, setShown] = useState<'waiting' | 'all'>('waiting');
  const query = shown === 'waiting' ? { state: 'waiting' as const } : {};
  const { data, error } = useAsk('listApprovals', { query }, { everyMs: EVERY_MS });
  return (
    <Card
      id="approval"
      title="Approvals, both lanes"
      isFlush
      aside={
        <Segmented
          label="Which approvals"
          value={shown}
          onChoose={setShown}
          choices={[
            { value: 'waiting', label: 'Pending' },
            { value: 'all', label: 'All' },
          ]}
        />
      }
    >
      {error !== null && <ErrorNote error={error} />}
      {data?.approvals.length === 0 && (
        <p className="px-4 py-3 text-muted">
          {shown === 'waiting' ? 'No approvals pending.' : 'No approvals yet.'}
        </p>
      )}
      <ul>
        {data?.approvals.map((approval) => (
          <Approval key={approval.approval_id} approval={approval} />
        ))}
      </ul>
    </Card>
  );
}

function Approval({ approval }: { readonly approval: ApprovalRequest }) {
  const nowMs = useNow();
  const { operator_id: me } = useIdentity();
  const nameOf = useNames();
  const { state, operation, role, lane, target, proposed_by: by, reason } = approval;
  const preset = { approval_id: approval.approval_id };
  const { confirmable_at_ms: aloneAtMs } = approval;
  const canApprove = by !== me || (aloneAtMs !== null && aloneAtMs <= nowMs);
  return (
    <li className="flex flex-col gap-2 border-b border-line p-4 last:border-b-0">
      <div className="flex flex-wrap items-center gap-2">
        <strong>{operations[operation]?.summary ?? operation}</strong>
        <Badge tone={TONES[state] ?? 'neutral'}>{state}</Badge>
        {lane !== null && <Badge>{lane}</Badge>}
        <Badge>{role.replace('_', ' ')}</Badge>
        <span className="ml-auto text-xs text-muted">
          {ago('en', nowMs - approval.proposed_at_ms)}
        </span>
      </div>
      <p className="text-muted">
        <code className="text-xs break-all">{target}</code>
      </p>
      <p>
        {by === me ? 'You' : nameOf(by)}: {reason}
      </p>
      {approval.decided_by !== null && (
        <p className="text-muted">
          Decided by {nameOf(approval.decided_by)}: {approval.decision_reason}
        </p>
      )}
      {state === 'waiting' ? <Asked approval={approval} /> : <Came approval={approval} />}
      {state === 'waiting' && (
        <div className="flex flex-wrap items-center gap-2">
          {canApprove && (
            <ActButton act="approveAct" label="Approve" kind="primary" preset={preset} />
          )}
          <ActButton act="rejectAct" label={by === me ? 'Withdraw' : 'Reject'} preset={preset} />
          <Note approval={approval} isOwn={by === me} />
        </div>
      )}
    </li>
  );
}

/** What was asked for, and the record it is about when it was asked for and now. */
function Asked({ approval }: { readonly approval: ApprovalRequest }) {
  const params = { approval_id: approval.approval_id };
  const { data, error } = useAsk('getApproval', { params }, { everyMs: EVERY_MS });
  const { lane: _lane, reason: _reason, ...input } = approval.input;
  return (
    <div className="flex flex-col gap-3 rounded-md bg-page p-3">
      {Object.keys(input).length > 0 && <Section title="Asked for" of={input} />}
      {error !== null && <ErrorNote error={error} />}
      {data?.about_then != null && <Then then={data.about_then} now={data.about} />}
      {data?.about != null && <Section title="Now" of={data.about} />}
    </div>
  );
}

interface ThenProps {
  readonly then: Readonly<Record<string, unknown>>;
  readonly now: Readonly<Record<string, unknown>> | null;
}

function Then({ then, now }: ThenProps) {
  const title = 'When it was asked for';
  if (JSON.stringify(then) !== JSON.stringify(now)) return <Section title={title} of={then} />;
  return (
    <section aria-label={title}>
      <h3 className="mb-1 text-xs font-semibold">{title}</h3>
      <p className="text-muted">The same as now.</p>
    </section>
  );
}

function Section({
  title,
  of: record,
}: {
  readonly title: string;
  readonly of: Readonly<Record<string, unknown>>;
}) {
  return (
    <section aria-label={title}>
      <h3 className="mb-1 text-xs font-semibold">{title}</h3>
      <Facts of={record} />
    </section>
  );
}

function Came({ approval }: { readonly approval: ApprovalRequest }) {
  return (
    <details>
      <summary className="text-muted">What exactly was asked for, and what came of it</summary>
      <div className="mt-2 flex flex-col gap-3 rounded-md bg-page p-3">
        <Section title="Asked for" of={approval.input} />
        {approval.outcome !== null && <Section title="What came of it" of={approval.outcome} />}
      </div>
    </details>
  );
}

function Note({
  approval,
  isOwn,
}: {
  readonly approval: ApprovalRequest;
  readonly isOwn: boolean;
}) {
  const { confirmable_at_ms: aloneAtMs, expires_at_ms: expiresAtMs } = approval;
  if (isOwn && aloneAtMs !== null) {
    return (
      <span className="text-xs text-muted">
        No other operator can approve this now. You can confirm it alone from{' '}
        {dateTime('en', aloneAtMs)}, unless another operator can approve it by then.
      </span>
    );
  }
  return (
    <span className="text-xs text-muted">
      {isOwn ? 'Another operator must approve this by' : 'Can be approved until'}{' '}
      {dateTime('en', expiresAtMs)}.
    </span>
  );
}
