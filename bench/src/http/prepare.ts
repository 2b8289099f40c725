// Makes the data folder that every server of ours starts from: accounts with money and keys, and markets without pools.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import {
  asAccountId,
  asTemplateId,
  type CommandBody,
  type Outcome,
  type TemplateDefinition,
} from '@sibyl/engine';
import { Lane, systemClock } from '@sibyl/lane';
import { pips, usdt } from '@sibyl/money';
import { boot, readConfig, silentLog } from '@sibyl/server';
import { laneFolder, openJournal, openSnapshots } from '../../../server/src/stores/open-stores.ts';
import { BET_MAX, FUNDS, OPERATOR, PARAMETERS } from '../engine/lane.ts';
import { accountName, makeCredentials } from './credentials.ts';
import { ACCOUNTS, MARKETS, writeRoster } from './orders.ts';

const TEMPLATE = 'bench_binary';
/** Commands sent at once, well within the queue of a lane. */
const CHUNK = 500;

export async function prepareData(dataDir: string, rosterFile: string): Promise<void> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  // A folder has an operator before it has users; the live lane comes after, with terms of its own.
  await startOnce(dataDir, { LANES: 'sandbox' });
  const folder = laneFolder(dataDir, 'live');
  mkdirSync(folder, { recursive: true });
  const lane = await Lane.open({
    name: 'live',
    parameters: PARAMETERS,
    journal: await openJournal(folder),
    snapshots: openSnapshots(folder),
    clock: systemClock,
  });
  const markets = await createMarkets(lane);
  await openAccounts(lane);
  await lane.close();
  writeRoster(rosterFile, { ...(await makeCredentials(dataDir)), markets });
  // This start brings history up to date.
  await startOnce(dataDir);
}

async function startOnce(dataDir: string, more: Record<string, string> = {}): Promise<void> {
  const environment = { PORT: '0', ADMIN_PORT: '0', DATA_DIR: dataDir, BOTS: 'off', ...more };
  const server = await boot(readConfig(environment, path.dirname(dataDir)), silentLog);
  await server.close();
}

async function createMarkets(lane: Lane): Promise<readonly string[]> {
  await submitAll(lane, [{ type: 'publish_template', template: template() }]);
  const outcomes = await submitAll(
    lane,
    Array.from({ length: MARKETS }, (_, number) => ({
      type: 'create_market',
      accountId: asAccountId('acc_platform'),
      templateId: asTemplateId(TEMPLATE),
      params: { number },
      displayTitle: null,
      displayImageUrl: null,
    })),
  );
  return outcomes.map(({ answer }) => {
    if (answer.ok && answer.result.kind === 'market') return answer.result.marketId;
    throw new Error('create_market answered without a market');
  });
}

async function openAccounts(lane: Lane): Promise<void> {
  await submitAll(
    lane,
    Array.from({ length: ACCOUNTS }, (_, number) => {
      const accountId = asAccountId(accountName(number));
      const relations = { parentId: null, referrerId: null };
      return [
        { type: 'open_account', accountId, mode: 'live', ...relations },
        { type: 'deposit', accountId, amount: FUNDS, reference: `bench ${number}` },
      ] as const;
    }).flat(),
  );
}

async function submitAll(lane: Lane, bodies: readonly CommandBody[]): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let from = 0; from < bodies.length; from += CHUNK) {
    const chunk = bodies.slice(from, from + CHUNK);
    const sent = chunk.map((body) => lane.submit({ body, actor: OPERATOR, requestId: 'bench' }));
    outcomes.push(...(await Promise.all(sent)));
  }
  for (const { answer } of outcomes) {
    if (!answer.ok) throw new Error(`a preparation was refused: ${answer.rejection.code}`);
  }
  return outcomes;
}

function template(): TemplateDefinition {
  return {
    id: asTemplateId(TEMPLATE),
    name: TEMPLATE,
    category: 'bench',
    marketType: 'normal',
    outcomeSchema: 'binary',
    outcomes: [],
    minBet: usdt(0n),
    maxBet: BET_MAX,
    feeSchedule: { makerBps: 5, takerBps: 12, settleBps: 0 },
    paramsSchema: {
      type: 'object',
      required: ['number'],
      properties: { number: { type: 'integer' } },
    },
    displayDefaults: {
      titleTemplate: 'Bench market {number}',
      subtitleTemplate: null,
      description: null,
      imageUrlPattern: null,
    },
    roundConfig: null,
    oracleConfig: { source: 'manual', params: {}, challengeSec: null, bond: null },
    minCreatorDeposit: usdt(0n),
    durationSec: 30 * 86_400,
    tickPips: pips(1),
    minLots: 1,
    prior: null,
    requiresApproval: false,
    bandPips: null,
  };
}
