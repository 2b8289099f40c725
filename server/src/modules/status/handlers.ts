// GET /v1/status: how each lane does, what was the matter with it, and what that came to day by day.
import type { OperationOutput, Operations } from '@sibyl/contract';
import type { Clock } from '@sibyl/lane';
import type { Handler } from '../../handling/handler.ts';
import type {
  IncidentRecord,
  LaneReport,
  MarketAnnouncement,
  StatusReport,
} from '../../ports/status.ts';
import { isoTime, isoTimeOrNull } from '../../wire/times.ts';

export interface StatusParts {
  readonly clock: Clock;
  readonly status?: { report(): StatusReport };
  readonly announcements?: { current(): Promise<readonly MarketAnnouncement[]> };
}

type Status = OperationOutput<'getStatus'>;
type LaneStatus = Status['lanes'][number];
type Day = LaneStatus['days'][number];

const DAYS = 90;
const DAY_MS = 86_400_000;
const SHOWN_MAX = 200;

/** From the best to the worst. */
const STATES = ['ok', 'degraded', 'read_only', 'maintenance', 'down'] as const;

const NOTHING: StatusReport = { lanes: [], incidents: [], watchedSinceMs: 0 };

export function statusHandlers({ clock, status, announcements }: StatusParts): {
  readonly getStatus: Handler<Operations['getStatus']>;
} {
  return {
    getStatus: async () => {
      const report = status?.report() ?? NOTHING;
      const nowMs = clock.wallMs();
      return {
        data: {
          state: worst(report.lanes),
          lanes: report.lanes.map((lane) => laneView(lane, report, nowMs)),
          incidents: report.incidents.slice(0, SHOWN_MAX).map(incidentView),
          announcements: ((await announcements?.current()) ?? []).map(announcementView),
          server_ts_ms: nowMs,
        },
      };
    },
  };
}

function worst(lanes: readonly LaneReport[]): Status['state'] {
  const ranks = lanes.map(({ state }) => STATES.indexOf(state));
  return STATES[Math.max(0, ...ranks)] ?? 'ok';
}

function laneView(report: LaneReport, whole: StatusReport, nowMs: number): LaneStatus {
  const own = whole.incidents.filter(({ lane }) => lane === report.lane);
  return {
    environment: report.lane,
    state: report.state,
    since_at: isoTime(report.sinceMs),
    since_at_ms: report.sinceMs,
    reason: report.reason,
    commit_p50_us: report.commitP50Us,
    commit_p99_us: report.commitP99Us,
    days: daysOf(own, whole.watchedSinceMs, nowMs),
  };
}

function incidentView(incident: IncidentRecord): Status['incidents'][number] {
  return {
    incident_id: incident.incidentId,
    environment: incident.lane,
    kind: incident.kind,
    started_at: isoTime(incident.fromMs),
    started_at_ms: incident.fromMs,
    ended_at: isoTimeOrNull(incident.toMs),
    ended_at_ms: incident.toMs,
    reason: incident.reason,
  };
}

function announcementView(announced: MarketAnnouncement): Status['announcements'][number] {
  const { act, marketId, announcedAtMs, possibleFromMs } = announced;
  return {
    environment: 'live',
    market_id: marketId,
    act,
    announced_at: isoTime(announcedAtMs),
    announced_at_ms: announcedAtMs,
    possible_from_at: isoTime(possibleFromMs),
    possible_from_at_ms: possibleFromMs,
  };
}

function daysOf(
  incidents: readonly IncidentRecord[],
  watchedSinceMs: number,
  nowMs: number,
): Day[] {
  const firstMs = Math.floor(nowMs / DAY_MS) * DAY_MS - (DAYS - 1) * DAY_MS;
  return Array.from({ length: DAYS }, (_, index) => {
    const fromMs = firstMs + index * DAY_MS;
    const toMs = fromMs + DAY_MS;
    const spent = (...kinds: readonly IncidentRecord['kind'][]): number => {
      const of = incidents.filter(({ kind }) => kinds.includes(kind));
      return Math.round(of.reduce((sum, one) => sum + within(one, fromMs, toMs, nowMs), 0) / 1000);
    };
    return {
      day: isoTime(fromMs).slice(0, 10),
      watched: toMs > watchedSinceMs,
      down_sec: spent('down'),
      degraded_sec: spent('degraded', 'read_only'),
      maintenance_sec: spent('maintenance'),
    };
  });
}

/** How much of an incident lies between the two; what goes on has lasted until now. */
function within(incident: IncidentRecord, fromMs: number, toMs: number, nowMs: number): number {
  const endMs = Math.min(incident.toMs ?? nowMs, toMs);
  return Math.max(0, endMs - Math.max(incident.fromMs, fromMs));
}
