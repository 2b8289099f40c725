// The parts of an order's short text that are neither a word nor a text: numbers, amounts, caps, fees and grants.
import type { BuilderFee, GrantTerms, PlaceOrder, TierCaps } from '@sibyl/engine';
import type { TextReader } from './text-reader.ts';
import type { TextSheet } from './text-sheet.ts';

/** False for any other number: what says it is spelled out in a long text. */
export function writeCount(sheet: TextSheet, value: number): boolean {
  if (!Number.isSafeInteger(value) || value < 0) return false;
  sheet.count(value);
  sheet.space();
  return true;
}

/** The same for what is no amount, or one that a number does not hold. */
export function writeAmount(sheet: TextSheet, amount: bigint): boolean {
  return typeof amount === 'bigint' && writeCount(sheet, Number(amount)); // exact: a safe integer, or refused
}

export function readAmount(reader: TextReader): NonNullable<PlaceOrder['maxCost']> {
  return BigInt(reader.number()) as NonNullable<PlaceOrder['maxCost']>;
}

type CapFields = readonly [
  tier: string,
  keyId: string,
  orderMax: string | null,
  dayMax: string | null,
];
type BuilderFields = readonly [appId: string, feeBps: number, capBps: number, isOwn?: boolean];
type GrantFields = readonly [grantId: string, dayMax: string | null, expiresAtMs: number];

/** Null for what is not whole: it would come back as something else. */
export const capsText = spelledOnce(spellCaps);
export const builderText = spelledOnce(spellBuilder);
export const grantText = spelledOnce(spellGrant);

/** All orders of a credential bear the very same terms. */
function spelledOnce<Terms extends object>(
  spell: (terms: Terms) => string | null,
): (terms: Terms) => string | null {
  const texts = new WeakMap<Terms, string>();
  return (terms) => {
    const known = texts.get(terms);
    if (known !== undefined) return known;
    const text = spell(terms);
    if (text !== null) texts.set(terms, text);
    return text;
  };
}

function spellCaps({ tier, keyId, orderMax, dayMax }: TierCaps): string | null {
  if (typeof tier !== 'string' || typeof keyId !== 'string') return null;
  if (!isCap(orderMax) || !isCap(dayMax)) return null;
  const fields: CapFields = [tier, keyId, amountText(orderMax), amountText(dayMax)];
  return JSON.stringify(fields);
}

export function capsOf(text: string): TierCaps {
  const [tier, keyId, orderMax, dayMax] = JSON.parse(text) as CapFields;
  return { tier, keyId, orderMax: amountOf(orderMax), dayMax: amountOf(dayMax) };
}

function spellBuilder({ appId, feeBps, capBps, isOwn }: BuilderFee): string | null {
  if (typeof appId !== 'string') return null;
  if (!Number.isSafeInteger(feeBps) || !Number.isSafeInteger(capBps)) return null;
  if (isOwn !== undefined && typeof isOwn !== 'boolean') return null;
  const terms = [appId, feeBps, capBps] as const;
  const fields: BuilderFields = isOwn === undefined ? terms : [...terms, isOwn];
  return JSON.stringify(fields);
}

export function builderOf(text: string): BuilderFee {
  const [appId, feeBps, capBps, isOwn] = JSON.parse(text) as BuilderFields;
  return { appId, feeBps, capBps, ...(isOwn === undefined ? {} : { isOwn }) };
}

function spellGrant({ grantId, dayMax, expiresAtMs }: GrantTerms): string | null {
  if (typeof grantId !== 'string' || !isCap(dayMax)) return null;
  if (!Number.isSafeInteger(expiresAtMs)) return null;
  const fields: GrantFields = [grantId, amountText(dayMax), expiresAtMs];
  return JSON.stringify(fields);
}

export function grantOf(text: string): GrantTerms {
  const [grantId, dayMax, expiresAtMs] = JSON.parse(text) as GrantFields;
  return { grantId, dayMax: amountOf(dayMax), expiresAtMs };
}

function isCap(amount: unknown): boolean {
  return amount === null || typeof amount === 'bigint';
}

function amountText(amount: bigint | null): string | null {
  return amount === null ? null : amount.toString();
}

function amountOf(text: string | null): TierCaps['orderMax'] {
  return text === null ? null : (BigInt(text) as TierCaps['orderMax']);
}
