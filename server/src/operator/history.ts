// History by the operator: how far it is, and making it anew while the old one serves.

import type { OperatorOperations, OutputOf } from '@sibyl/contract';
import type { LaneName } from '@sibyl/engine';
import { ApiError, actingOperator, fail, type Reply } from '../handling/handler.ts';
import { laneOf, type OperatorHandlers, type OperatorParts, type WatchedLane } from './parts.ts';
import { runView } from './run-view.ts';
import { actOnce } from './saved-answer.ts';

type HistoryState = OutputOf<OperatorOperations['getHistory']>;

export function historyActs(
  parts: OperatorParts,
): Pick<OperatorHandlers, 'getHistory' | 'rebuildHistory'> {
  return {
    getHistory(_request, { query }) {
      const watched = laneOf(parts, query.lane);
      return watched instanceof ApiError ? watched : { data: view(query.lane, watched) };
    },
    rebuildHistory: (request, { body }) =>
      actOnce(parts, request, async (): Promise<Reply<HistoryState> | ApiError> => {
        const watched = laneOf(parts, body.lane);
        if (watched instanceof ApiError) return watched;
        const isBegun = watched.keeper.begin(actingOperator(request).operatorId, body.reason);
        if (!isBegun)
          return fail('STATE_CONFLICT', { reason: 'history is being made anew already' });
        return { data: view(body.lane, watched) };
      }),
  };
}

function view(laneName: LaneName, { lane, history, keeper }: WatchedLane): HistoryState {
  const { projector } = history;
  return {
    lane: laneName,
    seq: projector.seq,
    durable_seq: lane.status().durableSeq,
    available: projector.failure === null,
    rebuild: keeper.rebuild === null ? null : runView(keeper.rebuild),
  };
}
