// The market id: a hash of who creates what, so that repeating a create finds the same market.

import { canonicalJson, encodeUtf8 } from '../kit/canonical.ts';
import { type AccountId, asMarketId, type MarketId, type TemplateId } from '../kit/identity.ts';
import { sha256Hex } from '../kit/sha256.ts';
import { PLATFORM_ACCOUNT } from '../state/account.ts';
import type { Params } from '../template/params.ts';

export function marketIdOf(accountId: AccountId, templateId: TemplateId, params: Params): MarketId {
  const creator = isPlatform(accountId) ? null : accountId;
  const content = canonicalJson({ creator, params, template_id: templateId });
  return asMarketId(`m_${sha256Hex(encodeUtf8(content)).slice(0, ID_DIGITS)}`);
}

export function isPlatform(accountId: AccountId): boolean {
  return accountId === PLATFORM_ACCOUNT;
}

const ID_DIGITS = 16;
