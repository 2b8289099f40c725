// sibyl sandbox: a key of play money for anybody, and what helps to try things out.

import { createClient } from '@sibyl/sdk';
import type { Command } from 'commander';
import { exitCodes } from '../exit.ts';
import { amountText } from '../table.ts';
import { ask } from './ask.ts';
import { credentialsFile, saveCredential } from './credentials.ts';
import {
  addressOf,
  given,
  holderOf,
  type ServerOptions,
  serve,
  withExamples,
  withServer,
} from './server.ts';

interface KeyOptions extends ServerOptions {
  readonly country?: string;
  readonly show?: boolean;
}

export function addSandbox(program: Command): void {
  const sandbox = program
    .command('sandbox')
    .description('play money: a key, more of it, a fresh start');
  withExamples(
    withServer(sandbox.command('key'))
      .description(
        'take the key of play money that each address has once a day, and sign in with it',
      )
      .option('--country <code>', 'where you live, if the exchange asks, such as PT')
      .option('--show', 'show the key as well, which others may see over your shoulder'),
    'sibyl sandbox key && sibyl markets --state active',
  ).action((options: KeyOptions) => serve(options, (terminal) => takeKey(terminal, options)));
  withExamples(
    withServer(sandbox.command('faucet')).description(
      'credit test money, once an hour and again after a reset',
    ),
    'sibyl sandbox faucet',
  ).action((options: ServerOptions) =>
    ask(options, () => holderOf(options).sandbox.faucet(), {
      words: ({ amount, asset, balance_free: free }) => [
        `${amountText(amount)} ${asset} credited; ${amountText(free)} are free`,
      ],
    }),
  );
  withExamples(
    withServer(sandbox.command('reset')).description(
      'cancel orders, clear positions, set the balance to 0',
    ),
    'sibyl sandbox reset && sibyl sandbox faucet',
  ).action((options: ServerOptions) => ask(options, () => holderOf(options).sandbox.reset()));
  withExamples(
    withServer(sandbox.command('resolve <market-id> <outcome-id>')).description(
      'settle a market of the mock oracle: this outcome has won',
    ),
    'sibyl sandbox resolve m_0123456789abcdef yes',
  ).action((marketId: string, outcomeId: string, options: ServerOptions) =>
    ask(
      options,
      () =>
        holderOf(options).sandbox.settle({ market_id: marketId, winning_outcome_id: outcomeId }),
      {
        words: ({ market, payouts: { own_payout: own, accounts_paid: accounts } }) => [
          `${marketId} is ${market.status}; ${accounts} accounts were paid, you ${amountText(own)}`,
        ],
      },
    ),
  );
}

async function takeKey(
  terminal: Parameters<Parameters<typeof serve>[1]>[0],
  options: KeyOptions,
): Promise<number> {
  const { url, country, show } = options;
  const visitor = createClient({ baseUrl: url });
  const bar = terminal.bar('sandbox');
  const minted = await visitor.keys.mintSandbox(given({ country }));
  // Before the money: whatever happens next, the one key of the day is not lost.
  saveCredential(url, { token: minted.key_id, name: minted.public_id, isSandbox: true });
  bar.update(0.5, 'the key is kept; its money is being credited');
  const credit = await visitor.withToken(minted.key_id).sandbox.faucet();
  bar.end(`${amountText(credit.balance_free)} ${credit.asset} to play with`);
  const { key_id: key, public_id: publicId, account_id: account } = minted;
  terminal.result(
    {
      public_id: publicId,
      account_id: account,
      balance_free: credit.balance_free,
      ...(show === true && { key_id: key }),
    },
    [
      `${publicId} is signed in at ${addressOf(url, true)}; the key is in ${credentialsFile()}`,
      ...(show === true ? [`the key is ${key}`] : []),
    ],
  );
  return exitCodes.done;
}
