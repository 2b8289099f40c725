// The service itself: modes of the lanes, parameters, ceilings of tiers, quotas, maintenance, clock, jobs, history and backups.
import type { ReactNode } from 'react';
import { Card } from '../../components/card.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { dateTime } from '../../format/times.ts';
import { ActButton } from '../acts/act-button.tsx';
import { useLane } from '../lane.tsx';
import { LaneCard } from '../overview/lane-card.tsx';
import { useAsk } from '../use-ask.ts';
import { Backups } from './backups.tsx';
import { Ceilings } from './ceilings.tsx';
import { Jobs } from './jobs.tsx';
import { Parameters } from './parameters.tsx';
import { Quotas } from './quotas.tsx';
import { Report } from './report.tsx';

const EVERY_MS = 3_000;

export function Page() {
  const { lane } = useLane();
  const { data, error } = useAsk('getPlatform', {}, { everyMs: EVERY_MS });
  const state = data?.lanes.find((one) => one.lane === lane);
  return (
    <div className="flex flex-col gap-4">
      <h1 className="text-lg font-semibold">Lanes and parameters</h1>
      {error !== null && <ErrorNote error={error} />}
      {state !== undefined && (
        <div className="flex flex-col gap-2">
          <LaneCard state={state} />
          <div className="flex flex-wrap gap-2">
            {state.mode !== 'normal' && (
              <Mode mode="normal" label="Resume the lane" kind="primary" />
            )}
            {state.mode !== 'cancel_only' && (
              <Mode mode="cancel_only" label="Halt the lane" kind="danger" />
            )}
            {state.mode !== 'read_only' && <Mode mode="read_only" label="Pause the lane" />}
            <ActButton act="decideClock" label="Which clock is right" />
            <ActButton act="startReconciliation" label="Reconcile now" />
          </div>
        </div>
      )}
      <Report />
      <Maintenance
        words={
          data?.maintenance == null
            ? 'None is announced.'
            : `${data.maintenance.phase}, ${data.maintenance.effect}, from ${dateTime('en', data.maintenance.starts_at_ms)}: ${data.maintenance.reason}`
        }
      />
      <Parameters />
      <Ceilings />
      <Quotas />
      <Jobs />
      <Upkeep />
    </div>
  );
}

function Mode({
  mode,
  label,
  kind,
}: {
  readonly mode: string;
  readonly label: string;
  readonly kind?: 'primary' | 'danger';
}) {
  return (
    <ActButton
      act="setPlatformMode"
      label={label}
      preset={{ mode }}
      {...(kind !== undefined && { kind })}
    />
  );
}

function Maintenance({ words }: { readonly words: string }) {
  return (
    <Line title="Maintenance" words={words}>
      <ActButton
        act="setMaintenance"
        label="Announce"
        preset={{ phase: 'scheduled' }}
        values={{ effect: 'cancel_only' }}
      />
      <ActButton
        act="setMaintenance"
        label="Begin now"
        kind="danger"
        preset={{ phase: 'started' }}
        values={{ effect: 'cancel_only' }}
      />
      <ActButton act="setMaintenance" label="End" preset={{ phase: 'ended' }} />
    </Line>
  );
}

function Upkeep() {
  const { lane } = useLane();
  const { data } = useAsk('getHistory', { query: { lane } }, { everyMs: EVERY_MS });
  const rebuild = data?.rebuild;
  const words =
    data === undefined
      ? '…'
      : `At command ${data.seq} of ${data.durable_seq}${data.available ? '' : ', cannot be read'}${rebuild == null ? '' : `; last rebuild ${rebuild.state}`}.`;
  return (
    <>
      <Line title={`History, ${lane}`} words={words}>
        <ActButton act="rebuildHistory" label="Rebuild" />
      </Line>
      <Backups />
    </>
  );
}

function Line({
  title,
  words,
  children,
}: {
  readonly title: string;
  readonly words: string;
  readonly children: ReactNode;
}) {
  return (
    <Card title={title}>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-muted">{words}</p>
        <span className="flex flex-wrap gap-2">{children}</span>
      </div>
    </Card>
  );
}
