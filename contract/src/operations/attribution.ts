// Operations of the Attribution and Revenue groups: what apps brought, what keys traded, and what was earned by the fees of others.

import { Type } from 'typebox';
import { common, credentialed } from '../bundles.ts';
import { noInput, operation } from '../define.ts';
import { idOf } from '../ids.ts';
import { pageQuery } from '../paging.ts';
import { epochMs, oneOf } from '../primitives.ts';
import {
  AttributionRow,
  exampleAttribution,
  exampleRevenueRows,
  RevenueRow,
} from '../resources/revenue.ts';
import { ownRead } from './kinds.ts';

export const attributionGroupings = ['fill', 'day', 'app', 'market', 'key'] as const;
export const revenueGroupings = ['fill', 'day', 'app', 'actor'] as const;

const range = {
  from_ms: Type.Optional(
    epochMs('First instant, inclusive; whole UTC days but for fills. 30 days ago unless told.'),
  ),
  to_ms: Type.Optional(epochMs('Last instant, exclusive; now unless told, at most 366 days on.')),
};

/** What somebody earns as a builder is no app's business. */
const builderRead = { ...ownRead, scope: null } as const;

const getAttribution = operation({
  ...builderRead,
  since: '0.3',
  id: 'getAttribution',
  call: 'attribution.rows',
  group: 'Attribution',
  path: '/v1/attribution',
  summary: 'What your apps brought and your keys traded',
  description:
    'Volume that your apps are credited with, by trade, day, app or market. The first row of the first page is the total. A trade belongs to the app that its taker’s order named. By key it is what each of your own keys traded, as taker and as maker.',
  list: true,
  input: {
    ...noInput,
    query: pageQuery({
      group_by: Type.Optional(oneOf(attributionGroupings, { default: 'day' })),
      app_id: Type.Optional(idOf('app', 'One of your apps; all of them unless told.')),
      ...range,
    }),
  },
  data: Type.Array(AttributionRow),
  errors: [...common, ...credentialed, 'NOT_FOUND'],
  example: { query: { group_by: 'app' }, data: [...exampleAttribution] },
});

const getRevenue = operation({
  ...builderRead,
  since: '0.3',
  id: 'getRevenue',
  call: 'revenue.rows',
  group: 'Revenue',
  path: '/v1/revenue',
  summary: 'What you earned by fees',
  description:
    'Shares of fees as creator of markets, builder of apps and referrer, by trade, day, app or actor. The first row of the first page is the total. They vest when a market resolves, are given back when it is cancelled, and go to your free balance once a day after midnight UTC.',
  list: true,
  input: {
    ...noInput,
    query: pageQuery({
      group_by: Type.Optional(oneOf(revenueGroupings, { default: 'actor' })),
      app_id: Type.Optional(idOf('app', 'One of your apps alone.')),
      ...range,
    }),
  },
  data: Type.Array(RevenueRow),
  errors: [...common, ...credentialed, 'NOT_FOUND'],
  example: { query: { group_by: 'actor' }, data: [...exampleRevenueRows] },
});

export const attributionOperations = Object.freeze({ getAttribution, getRevenue });
