// A lane of our engine as the measurements use it: set up through commands alone, and checked through its public state.
import {
  type AccountId,
  type Actor,
  apply,
  asAccountId,
  asTemplateId,
  type Command,
  type CommandBody,
  checkAll,
  createState,
  DEFAULT_PARAMETERS,
  type MarketId,
  type Outcome,
  type OutcomeSchema,
  type Parameters,
  type State,
  type TemplateDefinition,
} from '@sibyl/engine';
import { pips, type Usdt, usdt } from '@sibyl/money';

/**
 * 50 s of journal time per million commands. Markets are made before a whole minute and used after it, so that the
 * checks of their makers, each at its own second, fall into these 50 s.
 */
const MINUTE_MS = 60_000;
const COMMANDS_PER_MS = 20;
const SETUP_MS = 500;
const START_MS = 28_333_334 * MINUTE_MS - SETUP_MS;

const DAY_SECONDS = 86_400;
export const BET_MAX = usdt(1_000_000_000_000_000n);
export const FUNDS = usdt(100_000_000_000_000n);
const LIMIT_NONE = 100_000_000_000;

export const OPERATOR: Actor = { kind: 'operator', name: 'bench', reason: 'measurement' };

/** The defaults of production but for the limits per account, which a workload of few accounts would meet. */
export const PARAMETERS: Parameters = {
  ...DEFAULT_PARAMETERS,
  risk: {
    openOrdersPerMarket: LIMIT_NONE,
    openOrdersPerAccount: LIMIT_NONE,
    positionLotsMax: LIMIT_NONE,
    openNotionalMax: BET_MAX,
    openMarketsPerCreator: LIMIT_NONE,
    bidReserveMin: usdt(0n),
  },
};

export interface TemplateChoice {
  readonly id: string;
  readonly schema: OutcomeSchema;
  /** Multi markets only; two otherwise. */
  readonly outcomes: number;
  /** Seeds the pool; zero makes a market of the book alone. */
  readonly deposit: Usdt;
}

export class Lane {
  readonly state: State = createState('live', PARAMETERS);
  /** Everything sent so far, when asked to record. */
  readonly journal: Command[] = [];
  readonly #records: boolean;
  readonly #templates = new Map<string, TemplateDefinition>();

  constructor(records = false) {
    this.#records = records;
  }

  /** The command that a body becomes with a sequence number, from which its time follows. */
  static commandOf(body: CommandBody, seq: number, actor: Actor): Command {
    return { ...body, seq, atMs: timeOf(seq), actor };
  }

  send(body: CommandBody, actor: Actor = OPERATOR): Outcome {
    const command = Lane.commandOf(body, this.state.seq + 1, actor);
    if (this.#records) this.journal.push(command);
    return apply(this.state, command);
  }

  openFunded(name: string): AccountId {
    const accountId = asAccountId(`acc_${name}`);
    const relations = { parentId: null, referrerId: null };
    this.#must({ type: 'open_account', accountId, mode: 'live', ...relations });
    this.#must({ type: 'deposit', accountId, amount: FUNDS, reference: `bench ${name}` });
    return accountId;
  }

  publish(choice: TemplateChoice): void {
    const template = defineTemplate(choice);
    this.#templates.set(choice.id, template);
    this.#must({ type: 'publish_template', template });
    if (choice.deposit === 0n) return;
    const accountId = asAccountId('acc_platform');
    this.#must({ type: 'deposit', accountId, amount: FUNDS, reference: `bench ${choice.id}` });
  }

  createMarket(templateId: string, number: number): MarketId {
    const scalar = this.#templates.get(templateId)?.outcomeSchema === 'scalar';
    const outcome = this.#must({
      type: 'create_market',
      accountId: asAccountId('acc_platform'),
      templateId: asTemplateId(templateId),
      params: scalar ? { number, lower: '0', upper: '100' } : { number },
      displayTitle: null,
      displayImageUrl: null,
    });
    const { answer } = outcome;
    if (answer.ok && answer.result.kind === 'market') return answer.result.marketId;
    throw new Error('create_market answered without a market');
  }

  /** Stops with the name of the first invariant that does not hold. */
  checkInvariants(): void {
    checkAll(this.state);
  }

  /** What in the ledger does not sum to zero, in sentences; sums are bigint, doubles would be off. */
  findImbalances(): readonly string[] {
    const sums = new Map<string, bigint>();
    for (const { asset, balance } of this.state.ledger.accounts()) {
      sums.set(asset, (sums.get(asset) ?? 0n) + balance);
    }
    return [...sums]
      .filter(([, sum]) => sum !== 0n)
      .map(([asset, sum]) => `the ledger's ${asset} sums to ${sum}`);
  }

  #must(body: CommandBody): Outcome {
    const outcome = this.send(body);
    if (!outcome.answer.ok) {
      const { code, details } = outcome.answer.rejection;
      throw new Error(`${body.type} was refused: ${code} ${Object.entries(details).join(' ')}`);
    }
    return outcome;
  }
}

export function actAs(accountId: AccountId): Actor {
  return { kind: 'account', accountId, keyId: null };
}

export function timeOf(seq: number): number {
  return START_MS + Math.floor(seq / COMMANDS_PER_MS);
}

export function defineTemplate({
  id,
  schema,
  outcomes,
  deposit,
}: TemplateChoice): TemplateDefinition {
  const scalarParams = {
    lower: { type: 'string', maxLength: 16 },
    upper: { type: 'string', maxLength: 16 },
  };
  return {
    id: asTemplateId(id),
    name: id,
    category: 'bench',
    marketType: 'normal',
    outcomeSchema: schema,
    outcomes:
      schema === 'multi'
        ? Array.from({ length: outcomes }, (_, index) => ({ id: `o${index}`, label: `o${index}` }))
        : [],
    minBet: usdt(0n),
    maxBet: BET_MAX,
    feeSchedule: { makerBps: 5, takerBps: 12, settleBps: 0 },
    paramsSchema: {
      type: 'object',
      required: schema === 'scalar' ? ['number', 'lower', 'upper'] : ['number'],
      properties: { number: { type: 'integer' }, ...(schema === 'scalar' ? scalarParams : {}) },
    },
    displayDefaults: {
      titleTemplate: 'Bench market {number}',
      subtitleTemplate: null,
      description: null,
      imageUrlPattern: null,
    },
    roundConfig: null,
    oracleConfig: { source: 'manual', params: {}, challengeSec: null, bond: null },
    minCreatorDeposit: deposit,
    durationSec: 30 * DAY_SECONDS,
    tickPips: pips(1),
    minLots: 1,
    prior: null,
    requiresApproval: false,
    bandPips: null,
  };
}
