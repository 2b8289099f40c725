// Who gets a taker's fee: the seven parts of FE4, which always sum to it.
import { floorDiv, type Usdt, usdt } from '@sibyl/money';
import { assert } from '../kit/assert.ts';
import { micro } from '../kit/micro.ts';
import type { Account } from '../state/account.ts';
import type { FeeParameters } from '../state/parameters.ts';
import type { State } from '../state/state.ts';

/** The seven parts of a taker fee; they sum to the fee. */
export class FeeSplit {
  /** Compiled code is thrown away with the last object of a shape that it was made for: this one stays. */
  static readonly kept = new FeeSplit(0, 0, 0, 0, 0, 0, 0);

  readonly makerMicro: number;
  readonly creatorMicro: number;
  readonly builderMicro: number;
  readonly referrerMicro: number;
  readonly oracleMicro: number;
  readonly insuranceMicro: number;
  readonly treasuryMicro: number;

  constructor(
    makerMicro: number,
    creatorMicro: number,
    builderMicro: number,
    referrerMicro: number,
    oracleMicro: number,
    insuranceMicro: number,
    treasuryMicro: number,
  ) {
    this.makerMicro = makerMicro;
    this.creatorMicro = creatorMicro;
    this.builderMicro = builderMicro;
    this.referrerMicro = referrerMicro;
    this.oracleMicro = oracleMicro;
    this.insuranceMicro = insuranceMicro;
    this.treasuryMicro = treasuryMicro;
  }

  get maker(): Usdt {
    return usdt(micro(this.makerMicro));
  }

  get creator(): Usdt {
    return usdt(micro(this.creatorMicro));
  }

  get builder(): Usdt {
    return usdt(micro(this.builderMicro));
  }

  get referrer(): Usdt {
    return usdt(micro(this.referrerMicro));
  }

  get oracle(): Usdt {
    return usdt(micro(this.oracleMicro));
  }

  get insurance(): Usdt {
    return usdt(micro(this.insuranceMicro));
  }

  get treasury(): Usdt {
    return usdt(micro(this.treasuryMicro));
  }

  toJSON(): SpelledSplit {
    const { maker, creator, builder, referrer, oracle, insurance, treasury } = this;
    return { maker, creator, builder, referrer, oracle, insurance, treasury };
  }
}

export type SpelledSplit = Pick<
  FeeSplit,
  'maker' | 'creator' | 'builder' | 'referrer' | 'oracle' | 'insurance' | 'treasury'
>;

/** Whether the referrer is of another family: a part for the own family is the treasury's (FE4). */
export function hasReferrer(state: State, { referrerId, family }: Account): boolean {
  return referrerId !== null && state.accounts.get(referrerId)?.family !== family;
}

/** Fee and rebate in µUSDT as safe integers; the flags say which of the actors that may be absent take part. */
export function splitFee(
  fee: number,
  rebate: number,
  hasCreator: boolean,
  hasBuilder: boolean,
  hasReferrer: boolean,
  parameters: FeeParameters,
): FeeSplit {
  assert(Number.isSafeInteger(fee), 'a fee is a safe integer');
  assert(rebate >= 0 && rebate <= fee, 'a rebate is part of the fee');
  const net = fee - rebate;
  const creator = hasCreator ? part(net, parameters.creatorWeight) : 0;
  const builder = hasBuilder ? part(net, parameters.builderWeight) : 0;
  const referrer = hasReferrer ? part(net, parameters.referrerWeight) : 0;
  const oracle = part(net, parameters.oracleWeight);
  const insurance = part(net, parameters.insuranceWeight);
  const treasury = net - creator - builder - referrer - oracle - insurance;
  assert(treasury >= 0, 'fee weights sum to at most one');
  return new FeeSplit(rebate, creator, builder, referrer, oracle, insurance, treasury);
}

const WEIGHT_ONE = 10_000;

/** Up to here the quotient fits a 32-bit integer. */
const PRODUCT_SAFE = 20_000_000_000_000;

function part(net: number, weight: number): number {
  const product = net * weight;
  if (product > PRODUCT_SAFE) {
    // exact: the quotient is at most the net fee
    return Number(floorDiv(BigInt(net) * BigInt(weight), BigInt(WEIGHT_ONE)));
  }
  // exact: a safe integer over 10⁴: quotients lie at least 10⁻⁴ below the next integer, or on it
  return (product / WEIGHT_ONE) | 0;
}
