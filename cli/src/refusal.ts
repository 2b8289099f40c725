// What the exchange refused, as a person reads it: a sentence, without the records and numbers that programs get.

import { errors, isErrorCode, limits } from '@sibyl/contract';
import type { SibylError } from '@sibyl/sdk';
import { amountText, timeText } from './table.ts';
import { isRecord } from './words.ts';

type Details = SibylError['details'];

/** The code stays in front: it can be looked up, and asked about. */
export function refusalWords({ code, message, details }: SibylError): string {
  const said = message.slice(`${code}: `.length);
  // Where the server has more than its catalogue to say, the details repeat it for programs; of lanes it speaks to those
  // who write addresses.
  const isSaid = isErrorCode(code) && said !== errors[code].message && !('exists_in' in details);
  return `${code}: ${isSaid ? said : (sentences[code]?.(details) ?? withFacts(said, details))}`;
}

/** Refusals that people meet with commands, each in words of its own; null where the details are of another kind. */
const sentences: Readonly<Record<string, (details: Details) => string | null>> = {
  NOT_FOUND: nothingThere,
  MARKET_NOT_FOUND: nothingThere,
  STATE_CONFLICT: endedOrder,
  ALREADY_EXISTS: takenName,
  DELEGATION_DAILY_CAP_EXCEEDED: usedUp,
  STEP_UP_MFA_REQUIRED: freshProof,
};

/** What is looked for is named by its kind: order_id is an order. */
function nothingThere(details: Details): string | null {
  const [name, id] = Object.entries(details).find(([key]) => key.endsWith('_id')) ?? [];
  const here = 'exists_in' in details ? ' in this lane' : '';
  return name === undefined ? null : `There is no ${label(name)} ${String(id)}${here}.`;
}

function endedOrder({ order }: Details): string | null {
  if (!isRecord(order)) return null;
  const { order_id: id, status, size, filled_size: filled } = order;
  if (status === 'filled') return `${id} has ended already: it was filled.`;
  if (status !== 'cancelled' && status !== 'rejected') return null;
  const isPart = /[1-9]/.test(String(filled));
  const part = isPart ? `, after ${shown(filled)} of ${shown(size)} were filled` : '';
  return `${id} has ended already: it was ${status}${part}.`;
}

function takenName({ order }: Details): string | null {
  if (!isRecord(order)) return null;
  const { order_id: id, client_order_id: name, status } = order;
  return `Another order of yours is called ${name}: ${id}, which is ${label(String(status))}.`;
}

function usedUp({ cap, used, resets_at_ms: atMs }: Details): string | null {
  if (typeof atMs !== 'number') return null;
  const when = timeText(new Date(atMs).toISOString());
  return `The daily cap is ${shown(cap)} USDT, of which ${shown(used)} are used, by fills and by orders that rest. It counts anew from ${when}.`;
}

/** Which proof depends on who asks: the catalogue speaks of a second factor to those who have none, too. */
function freshProof({ factors }: Details): string | null {
  const has: readonly unknown[] = Array.isArray(factors) ? factors : [];
  if (has.length === 0) return null;
  const proof = has.includes('password') ? 'password' : 'second factor';
  return `This needs your ${proof}, given within the last ${limits.factors.stepUpMs / 60_000} minutes.`;
}

/** The details in words, behind what was said; records are left to programs. */
function withFacts(said: string, details: Details): string {
  const facts = Object.entries(details).flatMap(([name, value]) => factOf(name, value) ?? []);
  return facts.length === 0 ? said : `${said.replace(/\.$/, '')} (${facts.join(', ')}).`;
}

function factOf(name: string, value: unknown): string | null {
  if (value === null || isRecord(value) || typeof value === 'boolean') return null;
  if (Array.isArray(value)) {
    const words = value.filter((one) => !isRecord(one));
    return words.length === 0 ? null : `${label(name)} ${words.join(', ')}`;
  }
  if (name === 'reason' || name === 'hint') return String(value).replaceAll('_', ' ');
  if (typeof value === 'number' && name.endsWith('_ms') && value >= FIRST_INSTANT_MS) {
    return `${label(name)} ${timeText(new Date(value).toISOString())}`;
  }
  if (typeof value === 'number' && name.endsWith('_sec')) return `${label(name)} ${span(value)}`;
  return `${label(name)} ${shown(value)}`;
}

/** Of fewer milliseconds a span is meant, and no time of a calendar. */
const FIRST_INSTANT_MS = 100_000_000_000;

/** The name of a detail without what says how it is written. */
function label(name: string): string {
  return name.replace(/_(id|ms|sec)$/, '').replaceAll('_', ' ');
}

function shown(value: unknown): string {
  const text = String(value);
  return /^-?[0-9]+\.[0-9]+$/.test(text) ? amountText(text) : text;
}

function span(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7_200 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3_600)} h`;
}
