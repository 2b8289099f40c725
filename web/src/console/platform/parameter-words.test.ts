import { labelOf, operatorOperations } from '@sibyl/contract/console';
import { expect, it } from 'vitest';
import { parameterLabel, parameterShown } from './parameter-words.ts';

it('[WOC21] shows parameters with plain names and in units', () => {
  const told = (name: string, value: number | string | boolean): readonly string[] => [
    parameterLabel(name),
    parameterShown(name, value),
  ];
  expect(told('halt_every_ms', 3_600_000)).toEqual(['Minimum time between halts', '1 h']);
  expect(told('challenge_ms', 90_000)).toEqual(['Challenge window', '90 s']);
  expect(told('resting_ms', 1_500)).toEqual(['Minimum resting time of an order', '1,500 ms']);
  expect(told('builder_fee_bps_max', 100)).toEqual(['Highest builder fee', '1 %']);
  expect(told('conversion_rate', 110_000)).toEqual(['Fee to mint or merge sets', '0.11 %']);
  expect(told('creator_weight', 2_500)[1]).toBe('25 %');
  expect(told('position_lots_max', 100_000_000_000)[1]).toBe('1,000,000,000 shares');
  expect(told('pips', 2_000)).toEqual(['Price band', '20¢']);
  expect(told('bond_min', '10.000000')).toEqual(['Least bond', '10 USDT']);
  expect(told('open_notional_max', '1000000000.500000')[1]).toBe('1,000,000,000.5 USDT');
  expect(told('rebates_paid', true)[1]).toBe('yes');
  // Of a newer server.
  expect(told('unheard_of', 12_000)).toEqual(['Unheard of', '12,000']);
  expect(told('new_wait_ms', 7_200_000)).toEqual(['New wait', '2 h']);
});

it('[WOC21] names every parameter that there is', () => {
  const { values } = operatorOperations.getParameters.example.data;
  const names = Object.values(values).flatMap((part) => Object.keys(part));
  const plain = (name: string): string => labelOf(name.replace(/_(ms|lots|bps|weight)$/, ''));
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => parameterLabel(name) === plain(name))).toEqual([]);
});
