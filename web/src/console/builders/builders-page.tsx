// Builders and their apps: applications to decide, load tests, apps to review, disable and enable.
import { labelOf, type OperatorOperations, type OutputOf } from '@sibyl/contract/console';
import { Badge, type Tone } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { RowOutlines } from '../../components/list-table.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { ago } from '../../format/times.ts';
import { useNow } from '../../live/use-now.ts';
import { ActButton } from '../acts/act-button.tsx';
import { Facts } from '../acts/facts.tsx';
import { useAddress } from '../use-address.ts';
import { useAsk } from '../use-ask.ts';

type Builder = OutputOf<OperatorOperations['findBuilders']>[number];
type App = OutputOf<OperatorOperations['findApps']>[number];

const SHOWN = 100;
const EVERY_MS = 5_000;

const TONES: Readonly<Record<Builder['status'] | App['status'], Tone>> = {
  in_review: 'warn',
  approved: 'gain',
  rejected: 'loss',
  draft: 'neutral',
  disabled: 'loss',
};

export function Page() {
  return (
    <div className="flex flex-col gap-4">
      <h1 className="text-lg font-semibold">Builders and apps</h1>
      <Builders />
      <Apps />
    </div>
  );
}

function Builders() {
  const { record, open } = useAddress();
  const { data, error } = useAsk(
    'findBuilders',
    { query: { limit: SHOWN } },
    { everyMs: EVERY_MS },
  );
  const chosen = data?.find(({ user_id: id }) => id === record);
  const nowMs = useNow();
  const columns: readonly Column<Builder>[] = [
    {
      id: 'name',
      title: 'Builder',
      // A button, so that the keyboard reaches it; its press is that of the row.
      cell: ({ name }) => (
        <button type="button" className="font-semibold wrap-anywhere">
          {name}
        </button>
      ),
    },
    { id: 'track', title: 'Track', cell: ({ track }) => labelOf(track) },
    { id: 'status', title: 'State', cell: ({ status }) => <Status status={status} /> },
    { id: 'tier', title: 'Tier', isMinor: true, cell: ({ tier }) => labelOf(tier) },
    {
      id: 'since',
      title: 'Applied',
      isMinor: true,
      cell: ({ applied_at_ms: atMs }) => ago('en', nowMs - atMs),
    },
  ];
  return (
    <>
      {error !== null && <ErrorNote error={error} />}
      {data === undefined && error === null && <RowOutlines />}
      {chosen !== undefined && <ChosenBuilder builder={chosen} />}
      {data !== undefined && (
        <Card isFlush title="Builders, the oldest application first">
          <Table
            label="Builders"
            columns={columns}
            rows={data}
            keyOf={({ user_id: id }) => id}
            onOpen={({ user_id: id }) => open(id)}
            empty={<Empty title="Nobody has applied yet" />}
          />
        </Card>
      )}
    </>
  );
}

function ChosenBuilder({ builder }: { readonly builder: Builder }) {
  const preset = { user_id: builder.user_id };
  return (
    <Card title={builder.name}>
      <div className="flex flex-col gap-4">
        <Facts of={builder} />
        <span className="flex flex-wrap gap-2">
          {builder.status === 'in_review' && (
            <>
              <ActButton act="approveBuilder" label="Approve" kind="primary" preset={preset} />
              <ActButton act="rejectBuilder" label="Reject" kind="danger" preset={preset} />
            </>
          )}
          <ActButton act="setLoadTest" label="Load test" preset={preset} />
        </span>
      </div>
    </Card>
  );
}

function Apps() {
  const { record, open } = useAddress();
  const { data, error } = useAsk('findApps', { query: { limit: SHOWN } }, { everyMs: EVERY_MS });
  const chosen = data?.find(({ app_id: id }) => id === record);
  const nowMs = useNow();
  const columns: readonly Column<App>[] = [
    {
      id: 'name',
      title: 'App',
      cell: ({ name }) => (
        <button type="button" className="font-semibold wrap-anywhere">
          {name}
        </button>
      ),
    },
    { id: 'verified', title: 'Verified name', cell: ({ verified_name: name }) => name ?? '' },
    { id: 'status', title: 'State', cell: ({ status }) => <Status status={status} /> },
    {
      id: 'owner',
      title: 'Owner',
      isMinor: true,
      cell: ({ owner_id: owner }) => <code className="text-xs">{owner}</code>,
    },
    {
      id: 'since',
      title: 'Changed',
      isMinor: true,
      cell: ({ updated_at_ms: atMs }) => ago('en', nowMs - atMs),
    },
  ];
  return (
    <>
      {error !== null && <ErrorNote error={error} />}
      {chosen !== undefined && <ChosenApp app={chosen} />}
      {data !== undefined && (
        <Card isFlush title="Apps, the oldest first">
          <Table
            label="Apps"
            columns={columns}
            rows={data}
            keyOf={({ app_id: id }) => id}
            onOpen={({ app_id: id }) => open(id)}
            empty={<Empty title="There are no apps yet" />}
          />
        </Card>
      )}
    </>
  );
}

function ChosenApp({ app }: { readonly app: App }) {
  const preset = { app_id: app.app_id };
  return (
    <Card title={app.name}>
      <div className="flex flex-col gap-4">
        <Facts of={app} />
        <span className="flex flex-wrap gap-2">
          {app.status === 'in_review' && (
            <>
              <ActButton act="approveApp" label="Approve" kind="primary" preset={preset} />
              <ActButton act="rejectApp" label="Send back" preset={preset} />
            </>
          )}
          {app.status === 'disabled' ? (
            <ActButton act="enableApp" label="Enable" preset={preset} />
          ) : (
            <ActButton act="disableApp" label="Disable" kind="danger" preset={preset} />
          )}
        </span>
      </div>
    </Card>
  );
}

function Status({ status }: { readonly status: keyof typeof TONES }) {
  return <Badge tone={TONES[status]}>{labelOf(status)}</Badge>;
}
