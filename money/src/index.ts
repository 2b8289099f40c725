// The public surface of money: assets, decimals, rounding and the integer units of trading.

export * from './assert.ts';
export * from './asset.ts';
export * from './decimal.ts';
export * from './rounding.ts';
export * from './units.ts';
