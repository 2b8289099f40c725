// Settlement metadata attached to markets, accounts and trades.

import type { InputOf, OperatorOperations, OutputOf } from '@sibyl/contract';
import { asAccountId, asMarketId, asTradeId, type ChainRecord } from '@sibyl/engine';
import { ApiError, fail, type Reply, type RequestContext } from '../handling/handler.ts';
import { firstRun } from '../wire/first-answer.ts';
import { parseTradeId } from '../wire/ids.ts';
import { isoTime } from '../wire/times.ts';
import { act, laneOf, type OperatorHandlers, type OperatorParts } from './parts.ts';

type Input = InputOf<OperatorOperations['attachChainData']>['body'];
type Attached = OutputOf<OperatorOperations['attachChainData']>;

export function recordActs(parts: OperatorParts): Pick<OperatorHandlers, 'attachChainData'> {
  return { attachChainData: (request, { body }) => attach(parts, request, body) };
}

async function attach(
  parts: OperatorParts,
  request: RequestContext,
  input: Input,
): Promise<Reply<Attached> | ApiError> {
  const watched = laneOf(parts, input.lane);
  if (watched instanceof ApiError) return watched;
  const record = recordOf(input);
  if (record === null) return fail('NOT_FOUND', { record: input.record, id: input.id });
  const { lane, id, chain_data: chainData } = input;
  const data = chainData === null ? null : JSON.stringify(chainData);
  const body = { type: 'attach_chain_data', record, data } as const;
  const outcome = await act(watched.lane, request, input, body);
  if (outcome instanceof ApiError) return outcome;
  const { atMs } = await firstRun(watched.lane, request, outcome);
  return {
    data: {
      lane,
      record: record.kind,
      id,
      chain_data: chainData,
      attached_at: isoTime(atMs),
      attached_at_ms: atMs,
    },
    replayed: outcome.replayed,
  };
}

/** Null for text that no trade has as its id. */
function recordOf({ record: kind, id }: Input): ChainRecord | null {
  switch (kind) {
    case 'market':
      return { kind, id: asMarketId(id) };
    case 'account':
      return { kind, id: asAccountId(id) };
    case 'trade': {
      const tradeId = parseTradeId(id);
      return tradeId === null ? null : { kind, id: asTradeId(tradeId) };
    }
  }
}
