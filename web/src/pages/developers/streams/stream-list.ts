// The streams there are, who may hear each, and what its name may be narrowed down to. A test holds it against the contract.
import type { StreamBase } from '@sibyl/sdk';

interface StreamFacts {
  readonly isPublic: boolean;
  readonly forms: 'base' | 'market' | 'outcome';
}

export const streamList: Readonly<Record<StreamBase, StreamFacts>> = {
  ticker: { isPublic: true, forms: 'outcome' },
  orderbook: { isPublic: true, forms: 'outcome' },
  fast_tick: { isPublic: true, forms: 'market' },
  markets_snapshot: { isPublic: true, forms: 'market' },
  signals: { isPublic: false, forms: 'market' },
  account: { isPublic: false, forms: 'base' },
  trade_executed: { isPublic: false, forms: 'base' },
  deposit: { isPublic: false, forms: 'base' },
  rfq: { isPublic: false, forms: 'base' },
};

export const streamBases = Object.keys(streamList).filter(isStreamBase);

export function isStreamBase(text: string): text is StreamBase {
  return Object.hasOwn(streamList, text);
}
