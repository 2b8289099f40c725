// The engine's refusals in the words of the interface: ids with their prefixes, fields as clients know them.
import { asMarketId, type RejectDetail, type Rejection } from '@sibyl/engine';
import type { Lane } from '@sibyl/lane';
import { type ApiError, refusal } from '../handling/handler.ts';
import { ASSET } from './account-mode.ts';
import { orderIdText } from './ids.ts';

export function wireRefusal(rejection: Rejection, isReplayed = false): ApiError {
  return refusal({ code: rejection.code, details: wireDetails(rejection) }, isReplayed);
}

/** Operations that have no word for a market that waits for approval say that it is not open. */
export async function asClosed(lane: Lane, rejection: Rejection): Promise<Rejection> {
  const { code, details } = rejection;
  if (code !== 'MARKET_NOT_APPROVED') return rejection;
  const marketId = asMarketId(String(details.market_id));
  const status = await lane.read(({ markets }) => markets.get(marketId)?.status ?? 'scheduled');
  return { code: 'MARKET_CLOSED', details: { ...details, status } };
}

type Details = Readonly<Record<string, RejectDetail>>;

/** What is too little, unless it is shares of an outcome. */
const MONEY = { asset: ASSET } as const;

function wireDetails({ code, details }: Rejection): Details {
  switch (code) {
    case 'BALANCE_INSUFFICIENT':
      return { ...('outcome_id' in details ? {} : MONEY), reserved: 0n, ...details };
    case 'MARKET_TEMPLATE_PARAM_INVALID':
      return 'field' in details ? details : withField(details);
    case 'RATE_LIMITED':
      // The faucet is the one thing that the engine itself counts.
      return { ...details, category: 'faucet' };
    case 'NOT_FOUND':
    case 'STATE_CONFLICT':
    case 'ALREADY_EXISTS':
      return typeof details.order_id === 'number'
        ? { ...details, order_id: orderIdText(details.order_id) }
        : details;
    default:
      return details;
  }
}

function withField({ param = '', ...details }: Details): Details {
  return { ...details, field: `params.${param}` };
}

/** What a preview or a check gives back is a refusal if it has a code. */
export function isRefusal(value: object): value is Rejection {
  return 'code' in value;
}
