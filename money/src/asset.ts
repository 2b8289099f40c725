// The assets the exchange knows, their smallest units, and amounts branded with the asset they count.

export type Asset = 'USDT' | 'CROWN' | 'BTC' | 'ETH';

export const ASSETS = ['USDT', 'CROWN', 'BTC', 'ETH'] as const satisfies readonly Asset[];

/** Decimal places of each asset; one smallest unit is 10^-scale of it. */
export const ASSET_SCALE = { USDT: 6, CROWN: 6, BTC: 8, ETH: 18 } as const satisfies Readonly<
  Record<Asset, number>
>;

declare const assetBrand: unique symbol;

/** A count of smallest units of one asset. Amounts of different assets do not mix at compile time. */
export type Money<A extends Asset = Asset> = bigint & { readonly [assetBrand]: A };

export type Usdt = Money<'USDT'>;

export function money<A extends Asset>(_asset: A, units: bigint): Money<A> {
  return units as Money<A>;
}

/** Micro-USDT: the unit of every balance the engine trades. */
export function usdt(micro: bigint): Usdt {
  return micro as Usdt;
}

export const USDT_ZERO: Usdt = usdt(0n);

export function add<A extends Asset>(a: Money<A>, b: Money<A>): Money<A> {
  return (a + b) as Money<A>;
}

export function subtract<A extends Asset>(a: Money<A>, b: Money<A>): Money<A> {
  return (a - b) as Money<A>;
}

export function negate<A extends Asset>(a: Money<A>): Money<A> {
  return -a as Money<A>;
}
