// Parts that run beside the exchange and may fail without it: the log of requests, the status page, the pages and the cards of markets.
import type { Market } from '@sibyl/contract';
import { asMarketId } from '@sibyl/engine';
import type { Clock } from '@sibyl/lane';
import type { OpenLanes } from './boot.ts';
import { CardMaker } from './cards/card-maker.ts';
import { CreatorWallets } from './creator-wallets.ts';
import type { Log } from './gateway/log.ts';
import type { MaintenanceWindow } from './gateway/maintenance-window.ts';
import { marketHead } from './gateway/market-head.ts';
import type { Site } from './gateway/site.ts';
import type { Jobs } from './jobs/jobs.ts';
import { AnnouncedMarkets } from './operator/announced-markets.ts';
import type { Parts } from './parts.ts';
import type { OperatorStore } from './ports/operators.ts';
import type { PlatformStore } from './ports/platform.ts';
import type { Random } from './ports/random.ts';
import type { KnownModes } from './ports/status.ts';
import type { RequestLog } from './requests/request-log.ts';
import type { Config } from './settings/config.ts';
import { readSite } from './site-files.ts';
import { openModes } from './status/mode-watch.ts';
import { openStatus } from './status/open-status.ts';
import type { StatusKeeper } from './status/status-keeper.ts';
import { openRequestLog } from './stores/open-stores.ts';
import { readMarket } from './wire/market-view.ts';

export interface CompanionParts {
  readonly config: Config;
  readonly opened: OpenLanes;
  readonly maintenance: MaintenanceWindow;
  readonly platform: PlatformStore;
  readonly operators: Pick<OperatorStore, 'approvals'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly jobs: Jobs;
}

export interface Companions {
  /** Null where none is kept. */
  readonly requests: RequestLog | null;
  readonly status: StatusKeeper;
  /** Why lanes are paused or halted. */
  readonly modes: KnownModes;
  readonly announcements: AnnouncedMarkets;
  readonly cards: CardMaker;
  /** The pages for people; null if nothing was built. */
  readonly site: Site | null;
  /** To be called when a lane may be in another state than before. */
  readonly statusChanged: () => void;
}

const STATUS_EVERY_MS = 1_000;

export async function openCompanions(given: CompanionParts, parts: Parts): Promise<Companions> {
  const modes = await openModes(given.opened);
  const lanes = Object.values(given.opened).map((open) => ({
    ...open,
    mode: modes[open.lane.name] ?? { current: null },
  }));
  const wallets = await CreatorWallets.open(given.platform, given.log);
  parts.add(wallets, async (open) => open.close());
  const status = await openStatus({ ...given, lanes });
  parts.add(status.keeper, (keeper) => keeper.close());
  given.jobs.add({
    name: 'status',
    lane: null,
    schedule: { everyMs: STATUS_EVERY_MS },
    once: false,
    run: () => status.keeper.check(),
  });
  for (const { notices } of lanes) notices.add(status.changed);
  return {
    requests: openRequests(given, parts),
    status: status.keeper,
    modes,
    announcements: new AnnouncedMarkets(given.operators.approvals, given.clock),
    cards: parts.add(openCards(given), (cards) => cards.close()),
    site: openSite(given),
    statusChanged: status.changed,
  };
}

function openRequests({ config, clock, log }: CompanionParts, parts: Parts): RequestLog | null {
  const { dataDir, requestLogBytes } = config;
  if (requestLogBytes === null) return null;
  const opened = openRequestLog(dataDir, requestLogBytes, clock, (reason) =>
    log.write('warn', 'requests could not be logged', { reason }),
  );
  return parts.add(opened, (requests) => requests.close());
}

function openCards(given: CompanionParts): CardMaker {
  return new CardMaker({ clock: given.clock, market: (lane, id) => marketOf(given, lane, id) });
}

const MARKET_PAGE = /^(?:\/sandbox)?\/m\/(m_[0-9a-f]{12,16})$/;

/** The page of a market says in its head what a preview of its link shows. */
function openSite(given: CompanionParts): Site | null {
  const { publicUrl, port } = given.config;
  const headOf: Site['headOf'] = async (lane, path, reader) => {
    const marketId = MARKET_PAGE.exec(path)?.[1];
    const market = marketId === undefined ? null : await marketOf(given, lane, marketId);
    if (market === null) return '';
    return marketHead(market, lane, publicUrl ?? `http://localhost:${port}`, reader);
  };
  return readSite('site', headOf, helpMetas(given.config));
}

/** By these the page says before a user asks for a letter that none is sent, and whom to ask instead. */
function helpMetas({ smtp, operatorContact }: Config): string {
  const mail = `<meta name="sibyl-mail" content="${smtp === null ? 'none' : 'sent'}">`;
  if (operatorContact === null) return mail;
  // The setting accepts no quotation marks; an & stays one in HTML.
  return `${mail}<meta name="sibyl-contact" content="${operatorContact.replaceAll('&', '&amp;')}">`;
}

async function marketOf(
  { opened, clock }: CompanionParts,
  name: 'live' | 'sandbox',
  marketId: string,
): Promise<Market | null> {
  const lane = opened[name];
  if (lane === undefined) return null;
  return readMarket(lane.lane, lane.history, asMarketId(marketId), clock.wallMs());
}
