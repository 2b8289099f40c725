// Parameters of a lane as people read them: plain names, and values in units.
import type { Schema } from '../acts/act-fields.ts';
import { amountWords, unitOf, withoutUnit } from '../acts/units.ts';

export type ParameterValue = number | string | boolean;

const NAMES: Readonly<Record<string, string>> = {
  conversion_rate: 'Fee to mint or merge sets',
  rebates_paid: 'Maker rebates are paid',
  creator_weight: 'Creator’s part of the net fee',
  builder_weight: 'Builder’s part of the net fee',
  referrer_weight: 'Referrer’s part of the net fee',
  oracle_weight: 'Oracle’s part of the net fee',
  insurance_weight: 'Insurance fund’s part of the net fee',
  builder_fee_bps_max: 'Highest builder fee',
  resting_ms: 'Minimum resting time of an order',
  target_lots: 'Target size of quotes',
  look_orders_max: 'Most orders read in one check',
  pips: 'Price band',
  windows: 'Windows at the band before a halt',
  halt_ms: 'Length of a halt',
  halt_every_ms: 'Minimum time between halts',
  open_orders_per_market: 'Most open orders of an account in a market',
  open_orders_per_account: 'Most open orders of an account',
  position_lots_max: 'Largest position in an outcome',
  open_notional_max: 'Most money in open orders of an account',
  bid_reserve_min: 'Least reserve of a bid, three or more outcomes',
  open_markets_per_creator: 'Most open markets of a creator',
  challenge_ms: 'Challenge window',
  account_challenge_ms: 'Challenge window of an account’s proposal',
  bond_min: 'Least bond',
  bond_escrow_bps: 'Bond as part of the escrow',
  proposal_deadline_ms: 'Deadline for a proposal after the close',
};

const PARTS: Readonly<Record<string, string>> = {
  fee: 'Fees',
  quality: 'Maker quality',
  band: 'Price bands and halts',
  risk: 'Limits of accounts',
  resolution: 'Resolution',
};

const format = new Intl.NumberFormat('en');

export function parameterLabel(name: string): string {
  if (Object.hasOwn(NAMES, name)) return NAMES[name] ?? name;
  const words = withoutUnit(name).replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Parts of a newer server keep their own name. */
export function partLabel(part: string): string {
  return (Object.hasOwn(PARTS, part) ? PARTS[part] : undefined) ?? part;
}

export function parameterShown(name: string, value: ParameterValue): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return `${amountWords(value)} USDT`;
  return unitOf(name)?.shown(value) ?? format.format(value);
}

/** The schema of a part, so that its form has a field for each value. */
export function parameterShape(
  part: string,
  values: Readonly<Record<string, ParameterValue>>,
): Schema {
  const properties = Object.entries(values).map(([name, value]): [string, Schema] => [
    name,
    { title: parameterLabel(name), ...typeOf(value) },
  ]);
  return {
    title: partLabel(part),
    required: Object.keys(values),
    properties: Object.fromEntries(properties),
  };
}

function typeOf(value: ParameterValue): Schema {
  if (typeof value === 'boolean') return { type: 'boolean' };
  if (typeof value === 'number') return { type: 'integer' };
  return { type: 'string', description: 'In USDT.' };
}
