// A lane without a disk: the engine, a list of commands that outlives whoever reads it, and a few ways to trade.
import {
  type Actor,
  apply,
  asAccountId,
  asMarketId,
  asTemplateId,
  type Command,
  type CommandBody,
  createState,
  type MarketId,
  type Outcome,
  type PlaceOrder,
  type State,
} from '@sibyl/engine';
import type { Clock, CommitListener, CommittedCommand } from '@sibyl/lane';
import { usdt } from '@sibyl/money';
import type { TailedLane } from '../../src/delivery/tail.ts';
import { seedTemplates } from '../../src/seed/templates.ts';
import { limitBuy } from '../limit-order.ts';

const BATCH = 5;
const DAY_MS = 86_400_000;
const OPERATOR: Actor = { kind: 'operator', name: 'test', reason: 'test' };

export class JournaledLane implements TailedLane {
  readonly name: 'live' | 'sandbox';
  readonly state: State;
  readonly committed: CommittedCommand[] = [];
  readonly #clock: Clock;
  readonly #listeners = new Set<CommitListener>();

  constructor(clock: Clock, name: 'live' | 'sandbox' = 'sandbox') {
    this.name = name;
    this.state = createState(name);
    this.#clock = clock;
  }

  run(body: CommandBody, actor: Actor = OPERATOR): Outcome {
    const command: Command = {
      seq: this.state.seq + 1,
      atMs: this.#clock.wallMs(),
      actor,
      ...body,
    };
    const committed = this.#commit(this.state, command);
    this.committed.push(committed);
    for (const listener of [...this.#listeners]) listener([committed]);
    return committed.outcome;
  }

  onCommitted(listener: CommitListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async *replayAfter(
    afterSeq: number,
    begin: (state: State) => void,
  ): AsyncGenerator<readonly CommittedCommand[]> {
    const state = createState(this.name);
    // As a snapshot would be: somewhere before the place asked for.
    const snapshotSeq = afterSeq - (afterSeq % 7);
    for (const { command } of this.committed.slice(0, snapshotSeq)) apply(state, command);
    begin(state);
    for (let from = snapshotSeq; from < this.committed.length; from += BATCH) {
      await Promise.resolve();
      yield this.committed
        .slice(from, from + BATCH)
        .map(({ command }) => this.#commit(state, command));
    }
  }

  async read<T>(query: (state: State) => T): Promise<T> {
    return query(this.state);
  }

  status(): { readonly durableSeq: number } {
    return { durableSeq: this.state.seq };
  }

  /** Nobody listens any more: the process that did is gone. */
  forgetListeners(): void {
    this.#listeners.clear();
  }

  open(name: string, parent: string | null = null): string {
    const accountId = asAccountId(parent === null ? `acc_${name}` : `sub_${name}`);
    const parentId = parent === null ? null : asAccountId(parent);
    this.run({ type: 'open_account', accountId, mode: this.name, parentId, referrerId: null });
    this.deposit(accountId, 10_000);
    return accountId;
  }

  deposit(accountId: string, units: number): Outcome {
    return this.run({
      type: 'deposit',
      accountId: asAccountId(accountId),
      amount: usdt(BigInt(units) * 1_000_000n),
      reference: `wire-${this.state.seq}`,
    });
  }

  /** A market of a template that accounts may use, with the templates published before the first one. */
  market(creatorId: string, level = 1): MarketId {
    if (this.state.templates.size === 0) {
      for (const template of seedTemplates(this.name)) {
        this.run({ type: 'publish_template', template });
      }
    }
    const outcome = this.run({
      type: 'create_market',
      accountId: asAccountId(creatorId),
      templateId: asTemplateId('own-question'),
      params: { question: `Above ${level}?`, closes_at_ms: this.#clock.wallMs() + 30 * DAY_MS },
      displayTitle: null,
      displayImageUrl: null,
    });
    if (!outcome.answer.ok || outcome.answer.result.kind !== 'market') {
      throw new Error(`no market: ${JSON.stringify(outcome.answer)}`);
    }
    return asMarketId(outcome.answer.result.marketId);
  }

  place(accountId: string, marketId: MarketId, order: Partial<PlaceOrder> = {}): Outcome {
    return this.run(limitBuy(asAccountId(accountId), marketId, order), {
      kind: 'account',
      accountId: asAccountId(accountId),
      keyId: null,
    });
  }

  resolve(accountId: string, marketId: MarketId, winningOutcomeId = 'yes'): Outcome {
    return this.run(
      { type: 'mock_oracle', accountId: asAccountId(accountId), marketId, winningOutcomeId },
      { kind: 'account', accountId: asAccountId(accountId), keyId: null },
    );
  }

  #commit(state: State, command: Command): CommittedCommand {
    const outcome = apply(state, command);
    return { command, outcome, hash: `hash ${command.seq}` };
  }
}
