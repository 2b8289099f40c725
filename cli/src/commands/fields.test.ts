// Options of a command line made from what an operation takes.
import { operatorOperations, operatorRoles } from '@sibyl/contract';
import { Command } from 'commander';
import { expect, it } from 'vitest';
import { fieldsOf, givenIn, secretsIn } from './fields.ts';

function read(
  operation: keyof typeof operatorOperations,
  args: readonly string[],
): Record<string, unknown> {
  const command = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  const fields = fieldsOf(operatorOperations[operation].input.body);
  for (const { option } of fields) command.addOption(option);
  return givenIn(fields, command.parse([...args], { from: 'user' }).opts());
}

it('[CL5] what may be null is given as it is, or as null', () => {
  const ceilings = ['--reason', 'asked by many', '--tier', 'trade_capped'];
  const set = (...more: string[]) => read('setTierCeilings', [...ceilings, ...more]);
  expect(set('--order-notional-max', '500')).toMatchObject({ order_notional_max: '500' });
  expect(set('--daily-notional-max', 'null')).toMatchObject({ daily_notional_max: null });
  expect(set('--rate-multiplier', '2')).toMatchObject({ rate_multiplier: 2 });
  const country = (text: string) =>
    read('setAccountCountry', ['--reason', 'passport seen', '--country', text]);
  expect(country('PT')).toMatchObject({ country: 'PT' });
  expect(country('null')).toMatchObject({ country: null });
  const chain = ['--lane', 'live', '--reason', 'on chain', '--record', 'market', '--id', 'm_1'];
  const attach = (text: string) => read('attachChainData', [...chain, '--chain-data', text]);
  expect(attach('{"tx":"0x00"}')).toMatchObject({ chain_data: { tx: '0x00' } });
  expect(attach('null')).toMatchObject({ chain_data: null });
});

it('[CL5] an amount below zero is no option', () => {
  const money = ['--lane', 'live', '--reason', 'entered twice', '--asset', 'USDT'];
  const said = read('correctBalance', [...money, '--amount', '-250', '--external-ref', 'ticket']);
  expect(said).toMatchObject({ amount: '-250', external_ref: 'ticket' });
});

it('[CL10] no operation takes a password as an option, and the roles are explained', () => {
  for (const { input } of Object.values(operatorOperations)) {
    for (const { option } of fieldsOf(input.body)) expect(option.long).not.toContain('password');
  }
  const { changeOperatorPassword, stepUpOperatorSession, setOperatorRoles } = operatorOperations;
  const both = ['current_password', 'new_password'];
  expect(secretsIn(changeOperatorPassword.input.body, {})).toEqual(both);
  expect(secretsIn(stepUpOperatorSession.input.body, {})).toEqual(['password']);
  expect(secretsIn(stepUpOperatorSession.input.body, { otp: '123456' })).toEqual([]);
  const roles = fieldsOf(setOperatorRoles.input.body).find(({ name }) => name === 'roles');
  for (const role of operatorRoles) {
    expect(roles?.option.description).toMatch(new RegExp(`${role}: [a-z]`));
  }
  expect(roles?.option.description).toContain('--role ONE --role ANOTHER');
  const given = ['--reason', 'new in the team', '--role', 'support', '--role', 'treasurer'];
  expect(read('setOperatorRoles', given)).toMatchObject({ roles: ['support', 'treasurer'] });
});
