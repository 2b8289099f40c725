// What was typed for a new market outlives a reload: kept in this tab, until the market is made.
import { lane } from '../../lane.ts';
import type { Typed } from './params.ts';

export interface KeptDraft {
  readonly typed: Typed;
  readonly title: string;
}

/** Null if nothing was kept, or nothing that can be read. */
export function readKept(templateId: string): KeptDraft | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(templateId)) ?? 'null');
    return isKept(kept) ? kept : null;
  } catch {
    return null;
  }
}

export function keep(templateId: string, draft: KeptDraft): void {
  try {
    sessionStorage.setItem(keyOf(templateId), JSON.stringify(draft));
  } catch {
    // Storage is full or closed: it holds until the page is left.
  }
}

export function forget(templateId: string): void {
  try {
    sessionStorage.removeItem(keyOf(templateId));
  } catch {
    // Closed storage kept nothing.
  }
}

function keyOf(templateId: string): string {
  return `sibyl.draft.${lane}.${templateId}`;
}

function isKept(value: unknown): value is KeptDraft {
  if (typeof value !== 'object' || value === null) return false;
  if (!('typed' in value && 'title' in value) || typeof value.title !== 'string') return false;
  const { typed } = value;
  return (
    typeof typed === 'object' &&
    typed !== null &&
    Object.values(typed).every((text) => typeof text === 'string')
  );
}
