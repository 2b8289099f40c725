// The public status: how each lane does now, what was the matter in the last 90 days, and day by day.

import { type Static, Type } from 'typebox';
import { idOf } from '../ids.ts';
import { epochMs, instant, nullable, nullableInstant, oneOf } from '../primitives.ts';
import { environments } from './api-key.ts';

const incidentKinds = ['degraded', 'read_only', 'maintenance', 'down'] as const;
export const laneStates = ['ok', ...incidentKinds] as const;

const seconds = (description: string) => Type.Integer({ minimum: 0, maximum: 86_400, description });
const latency = nullable(
  Type.Integer({
    minimum: 0,
    description: 'Of commits to the journal in the last minute, in microseconds; null without any.',
  }),
);

const StatusDay = Type.Object(
  {
    day: Type.String({ description: 'In UTC, such as 2026-11-14.' }),
    watched: Type.Boolean({ description: 'False for days before the service first ran.' }),
    down_sec: seconds('Nothing could be asked or traded.'),
    degraded_sec: seconds('Slow, or trading was paused.'),
    maintenance_sec: seconds('Maintenance.'),
  },
  { title: 'StatusDay' },
);

const LaneStatus = Type.Object(
  {
    environment: oneOf(environments),
    state: oneOf(laneStates),
    ...instant('since_at', 'Since when it is in this state, as far as the service knows.'),
    reason: nullable(Type.String({ description: 'What is the matter, for people.' })),
    commit_p50_us: latency,
    commit_p99_us: latency,
    days: Type.Array(StatusDay, { description: 'The last 90, oldest first, today included.' }),
  },
  { title: 'LaneStatus' },
);

const Incident = Type.Object(
  {
    incident_id: Type.String(),
    environment: oneOf(environments),
    kind: oneOf(incidentKinds),
    ...instant('started_at', 'When it began.'),
    ...nullableInstant('ended_at', 'When it was over; null while it goes on.'),
    reason: Type.String({ description: 'What was the matter, for people.' }),
  },
  { title: 'Incident' },
);

const Announcement = Type.Object(
  {
    environment: oneOf(environments),
    market_id: idOf('market'),
    act: oneOf(['answer', 'ruling'], {
      description: 'An answer is to be proposed; a proposed answer is to be ruled on.',
    }),
    ...instant('announced_at', 'When the operator announced it.'),
    ...instant('possible_from_at', 'It happens at this time at the earliest, or not at all.'),
  },
  { title: 'Announcement' },
);

export const Status = Type.Object(
  {
    state: oneOf(laneStates, { description: 'The worst of the lanes.' }),
    lanes: Type.Array(LaneStatus, { description: 'Those that this service runs.' }),
    incidents: Type.Array(Incident, {
      description: 'Of the last 90 days, newest first, 200 at most.',
    }),
    announcements: Type.Array(Announcement, {
      description:
        'What one operator alone intends to do to a market: announced a day before, since nobody else could agree.',
    }),
    server_ts_ms: epochMs('The clock of the server.'),
  },
  { title: 'Status' },
);
export type Status = Static<typeof Status>;

const exampleLane = (environment: 'live' | 'sandbox'): Status['lanes'][number] => ({
  environment,
  state: 'ok',
  since_at: '2026-11-14T08:00:00.000Z',
  since_at_ms: 1_794_643_200_000,
  reason: null,
  commit_p50_us: 840,
  commit_p99_us: 2_300,
  days: [
    {
      day: '2026-11-14',
      watched: true,
      down_sec: 0,
      degraded_sec: 0,
      maintenance_sec: 0,
    },
  ],
});

export const exampleStatus: Status = {
  state: 'ok',
  lanes: [exampleLane('live'), exampleLane('sandbox')],
  incidents: [],
  announcements: [],
  server_ts_ms: 1_794_657_600_000,
};
