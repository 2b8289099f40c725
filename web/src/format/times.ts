// Times as people read them: dates in the reader's own zone, and how long something has still to go.
import { dateFormat, numberFormat } from '@sibyl/contract/names';
import type { Locale } from '../texts/texts.ts';
import { relativeFormat } from './formats.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export function dateTime(locale: Locale, ms: number): string {
  return dateFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(ms);
}

/** A day of UTC, such as 2026-11-14. */
export function dayName(locale: Locale, day: string): string {
  return dateFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(Date.parse(day));
}

/** As a field for a time in the reader's zone has it: 2026-11-19T21:30. */
export function typedTime(ms: number): string {
  const zoneMs = new Date(ms).getTimezoneOffset() * MINUTE_MS;
  return new Date(ms - zoneMs).toISOString().slice(0, 16);
}

export function clockTime(locale: Locale, ms: number): string {
  return dateFormat(locale, { timeStyle: 'medium' }).format(ms);
}

export function minuteTime(locale: Locale, ms: number): string {
  return dateFormat(locale, { timeStyle: 'short' }).format(ms);
}

/** As on the clock of a station, with the same width for every hour. */
export function stationTime(locale: Locale, ms: number): string {
  const two = '2-digit';
  const format = { hour: two, minute: two, second: two, hourCycle: 'h23' } as const;
  return dateFormat(locale, format).format(ms);
}

/** The largest unit that says enough: 12 d, 4 h, 3 min, 20 s. */
export function duration(locale: Locale, ms: number): string {
  const [value, unit] = inUnit(Math.max(0, ms));
  return numberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: 'narrow',
    maximumFractionDigits: 0,
  }).format(value);
}

export function ago(locale: Locale, ms: number): string {
  const [value, unit] = inUnit(Math.max(0, ms));
  return relativeFormat(locale, { numeric: 'auto' }).format(-value, unit);
}

/** How far ahead a moment is: in 5 seconds. */
export function inTime(locale: Locale, ms: number): string {
  const [value, unit] = inUnit(Math.max(0, ms));
  return relativeFormat(locale, { numeric: 'auto' }).format(value, unit);
}

/** Minutes and seconds of a round, as on a clock: 02:41. */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / SECOND_MS));
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(Math.floor(seconds / 60))}:${two(seconds % 60)}`;
}

function inUnit(ms: number): [number, 'day' | 'hour' | 'minute' | 'second'] {
  if (ms >= DAY_MS) return [Math.floor(ms / DAY_MS), 'day'];
  if (ms >= HOUR_MS) return [Math.floor(ms / HOUR_MS), 'hour'];
  if (ms >= MINUTE_MS) return [Math.floor(ms / MINUTE_MS), 'minute'];
  return [Math.floor(ms / SECOND_MS), 'second'];
}
