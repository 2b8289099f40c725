// Messages that reach every connection without a subscription: breakers, maintenance, mode.

import { Type } from 'typebox';
import { idOf } from '../ids.ts';
import { epochMs, instant, nullable, nullableInstant, oneOf } from '../primitives.ts';
import { message } from './define.ts';
import { peopleText } from './frame.ts';

const broadcast = { stream: 'broadcast', visibility: 'public' } as const;

export const trafficLanes = ['read', 'trade', 'create', 'sandbox'] as const;

const circuitBreaker = message({
  ...broadcast,
  type: 'circuit_breaker',
  description: 'A traffic lane is degraded, or a market was halted by its breaker.',
  data: Type.Object(
    {
      lane: nullable(oneOf(trafficLanes), 'Null if a market is concerned.'),
      market_id: nullable(idOf('market'), 'Null if a lane is concerned.'),
      state: oneOf(['open', 'closed']),
      reason: Type.String(),
      since_ms: epochMs('Since when.'),
      retry_after_ms: nullable(Type.Integer({ minimum: 0 }), 'Null if nobody can tell.'),
      message: Type.Optional(peopleText),
    },
    { title: 'CircuitBreaker' },
  ),
  example: {
    lane: 'trade',
    market_id: null,
    state: 'open',
    reason: 'journal_slow',
    since_ms: 1_794_657_600_000,
    retry_after_ms: 5_000,
    message: 'A part of the service does not work properly.',
  },
});

const maintenance = message({
  ...broadcast,
  type: 'maintenance',
  description: 'Work on the service: announced, begun or over.',
  data: Type.Object(
    {
      phase: oneOf(['scheduled', 'started', 'ended']),
      ...instant('starts_at', 'When it starts or started.'),
      ...nullableInstant('ends_at', 'When it ends or ended, as far as known.'),
      effect: oneOf(['read_only', 'cancel_only', 'down']),
      message: peopleText,
    },
    { title: 'Maintenance' },
  ),
  example: {
    phase: 'started',
    starts_at: '2026-11-14T12:00:00.000Z',
    starts_at_ms: 1_794_657_600_000,
    ends_at: null,
    ends_at_ms: null,
    effect: 'down',
    message: 'The service restarts.',
  },
});

const platformMode = message({
  ...broadcast,
  type: 'platform_mode',
  description: 'What is possible at all right now.',
  data: Type.Object(
    {
      mode: oneOf(['normal', 'read_only', 'cancel_only']),
      reason: nullable(Type.String()),
      message: peopleText,
    },
    { title: 'ModeChange' },
  ),
  example: {
    mode: 'read_only',
    reason: 'maintenance',
    message: 'Trading is paused; reads still work.',
  },
});

export const broadcastMessages = Object.freeze({
  circuit_breaker: circuitBreaker,
  maintenance,
  platform_mode: platformMode,
});
