// The items of a batch, counted before anybody has looked whether it is one.
import { limits } from '@sibyl/contract';

/** A batch costs one for each item; before validation it may be of any shape. */
export function itemsOf(body: unknown): number {
  if (typeof body !== 'object' || body === null || !('items' in body)) return 1;
  const { items } = body;
  // More than may be in one are refused for that, and cost no more than their head.
  return Array.isArray(items) && items.length <= limits.batch.itemsMax ? items.length : 1;
}

/** What only takes back is never stopped; before validation a batch may be of any shape. */
export function isAllCancels(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || !('items' in body)) return true;
  const { items } = body;
  return Array.isArray(items) && items.every((item) => Object(item).action === 'cancel');
}
