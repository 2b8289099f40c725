// When a market stops taking orders: at its close, a fast round earlier by the offset of its template.
import type { Market } from '@sibyl/sdk';
import { useTemplates } from './use-templates.ts';

export function useLocksAt(market: Market): number {
  const template = useTemplates().find(({ id }) => id === market.template_id);
  return market.closes_at_ms - (template?.round_config?.lock_offset_ms ?? 0);
}
