// The history of the lane that a request addresses.

import type { History } from '@sibyl/history';
import type { LaneName } from '../handling/handler.ts';

export type Histories = Readonly<Partial<Record<LaneName, History>>>;

export function historyOf(histories: Histories, lane: LaneName): History {
  const history = histories[lane];
  if (history === undefined) throw new Error(`the ${lane} lane has no history`);
  return history;
}
