// Operations of the Portfolio group: balance, summary, statement, complete sets.

import { Type } from 'typebox';
import { common, credentialed, delegated, keyedSpending } from '../bundles.ts';
import { noInput, operation } from '../define.ts';
import { idOf, onBehalfOf, subaccountId } from '../ids.ts';
import { pageQuery, queryOf } from '../paging.ts';
import { epochMs, moneyInput, oneOf } from '../primitives.ts';
import { Balance, exampleBalance } from '../resources/account.ts';
import {
  Conversion,
  conversionActions,
  exampleConversion,
  exampleLedgerEntry,
  LedgerEntry,
  ledgerReasons,
} from '../resources/ledger.ts';
import {
  examplePortfolioSummary,
  PortfolioSummary,
  summaryRanges,
} from '../resources/portfolio-summary.ts';
import { ownRead } from './kinds.ts';

const portfolioRead = { ...ownRead, group: 'Portfolio' } as const;

const getBalance = operation({
  ...portfolioRead,
  id: 'getBalance',
  call: 'portfolio.balance',
  path: '/v1/balance',
  summary: 'Your balance',
  description: 'Free, reserved and by what, and pending, for each asset.',
  list: false,
  input: { ...noInput, query: queryOf({ subaccount_id: subaccountId, on_behalf_of: onBehalfOf }) },
  data: Balance,
  errors: [...common, ...credentialed, ...delegated, 'NOT_FOUND'],
  example: { query: {}, data: exampleBalance },
});

const getPortfolioSummary = operation({
  ...portfolioRead,
  id: 'getPortfolioSummary',
  call: 'portfolio.summary',
  path: '/v1/portfolio/summary',
  summary: 'What your portfolio comes to',
  description:
    'Equity and where it comes from, fees and rebates, exposure by category, how settled positions did, and equity over time. Equity is net deposits plus realised and unrealised profit, exactly.',
  list: false,
  input: {
    ...noInput,
    query: queryOf({
      range: Type.Optional(
        oneOf(summaryRanges, { default: '1d', description: 'How far the series goes back.' }),
      ),
      subaccount_id: subaccountId,
      on_behalf_of: onBehalfOf,
    }),
  },
  data: PortfolioSummary,
  errors: [...common, ...credentialed, ...delegated, 'NOT_FOUND', 'DATA_RANGE_TOO_LARGE_FOR_TIER'],
  example: { query: { range: '1d' }, data: examplePortfolioSummary },
});

const listLedger = operation({
  ...portfolioRead,
  id: 'listLedger',
  call: 'portfolio.ledger',
  path: '/v1/portfolio/ledger',
  summary: 'Your statement',
  description: 'Every credit and debit with its reason and reference, newest first.',
  list: true,
  input: {
    ...noInput,
    query: pageQuery({
      reason: Type.Optional(oneOf(ledgerReasons)),
      market_id: Type.Optional(idOf('market')),
      from_ms: Type.Optional(epochMs('First instant, inclusive.')),
      to_ms: Type.Optional(epochMs('Last instant, exclusive.')),
      subaccount_id: subaccountId,
      on_behalf_of: onBehalfOf,
    }),
  },
  data: Type.Array(LedgerEntry),
  errors: [...common, ...credentialed, ...delegated, 'NOT_FOUND', 'DATA_RANGE_TOO_LARGE_FOR_TIER'],
  example: { query: { reason: 'trade' }, data: [exampleLedgerEntry] },
});

const ConversionInput = Type.Object(
  {
    action: oneOf(conversionActions, {
      description: 'mint: pay 1 for one share of every outcome; merge: the reverse.',
    }),
    market_id: idOf('market'),
    size: moneyInput('Sets, a multiple of lot_size.'),
    subaccount_id: subaccountId,
    on_behalf_of: onBehalfOf,
  },
  { title: 'ConversionInput', additionalProperties: false },
);

const convertPosition = operation({
  id: 'convertPosition',
  call: 'portfolio.convert',
  method: 'POST',
  path: '/v1/portfolio/conversions',
  group: 'Portfolio',
  summary: 'Mint or merge complete sets',
  description:
    'A full set is always worth 1. The fee is published in GET /v1/lqf/config: minting and selling the other outcomes is not cheaper than buying. The discount of a maker covers as many sets as the account filled as a maker in the market on this and the previous UTC day.',
  auth: 'credential',
  permission: 'trade',
  scope: 'positions:convert',
  rate: 'account_write',
  idempotency: 'required',
  readOnlyMode: 'blocked',
  counted: true,
  since: '0.2',
  list: false,
  input: { ...noInput, body: ConversionInput },
  data: Conversion,
  errors: [
    ...keyedSpending,
    'NOT_FOUND',
    'MARKET_NOT_FOUND',
    'MARKET_CLOSED',
    'MARKET_HALTED',
    'TIER_LIMIT_EXCEEDED',
    'TIER_UPGRADE_REQUIRED',
    'RISK_LIMIT_BREACH',
    'BALANCE_INSUFFICIENT',
    'SUBACCOUNT_FROZEN',
  ],
  example: {
    body: { action: 'mint', market_id: exampleConversion.market_id, size: '10' },
    data: exampleConversion,
  },
});

export const portfolioOperations = Object.freeze({
  getBalance,
  getPortfolioSummary,
  listLedger,
  convertPosition,
});
