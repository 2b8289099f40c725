// Tells those who answer for the exchange, by mail, of every act that waits: for a second operator, or for the day after
// which one operator alone may confirm it; and of every payout that waits for somebody who makes it by hand. What was told is
// kept, so that a start tells nothing twice and forgets nothing.
import type { Clock } from '@sibyl/lane';
import { payoutOf } from '../custody/payout.ts';
import { recentLoss } from '../operator/able-operators.ts';
import type { ApprovalRecord } from '../ports/approvals.ts';
import type { Payout } from '../ports/custody.ts';
import { type Letter, LetterRefused, type Mail } from '../ports/mail.ts';
import type { OperatorStore } from '../ports/operators.ts';
import type { PlatformStore } from '../ports/platform.ts';
import { announcementOf, lossLetter, type NamedRecords, payoutLetter } from './announcement.ts';

export interface OperatorMailParts extends NamedRecords {
  readonly mail: Pick<Mail, 'send'>;
  /** Whom it is sent to, each alone. */
  readonly addresses: readonly string[];
  readonly operators: Pick<OperatorStore, 'approvals' | 'operators'>;
  readonly platform: Pick<PlatformStore, 'setting' | 'putSetting'>;
  readonly clock: Clock;
  /** Told once until a letter is taken again. */
  readonly failed: (message: string, error: unknown) => void;
}

const TOLD = 'operator_mail_told';
const TOLD_LOSSES = 'operator_mail_told_losses';
const TOLD_PAYOUTS = 'operator_mail_told_payouts';
const WAITING_MAX = 200;
const AGAIN_MS = 60_000;

export class OperatorMail {
  readonly #parts: OperatorMailParts;
  /** Payouts that may be made, as far as whoever drives them has said so since the start. */
  readonly #due = new Map<string, Payout>();
  #round: Promise<void> | null = null;
  /** Something came while a round was under way. */
  #isNews = false;
  #isFailing = false;
  #isClosed = false;
  #stopAlarm: () => void = () => undefined;

  constructor(parts: OperatorMailParts) {
    this.#parts = parts;
  }

  /** To be called at a start, and when an act begins to wait. */
  readonly wake = (): void => {
    this.#stopAlarm();
    if (this.#isClosed) return;
    if (this.#round !== null) {
      this.#isNews = true;
      return;
    }
    this.#isNews = false;
    this.#round = this.#tellAll()
      .then(
        () => this.#wentWell(),
        (error: unknown) => this.#wentWrong(error),
      )
      .finally(() => {
        this.#round = null;
        if (this.#isNews) this.wake();
      });
  };

  /** To be called when a payout may be made by hand; after each start again, as long as nobody has taken it up. */
  readonly payoutDue = (payout: Payout): void => {
    if (this.#parts.addresses.length === 0) return;
    this.#due.set(payout.payoutId, payout);
    this.wake();
  };

  async settled(): Promise<void> {
    while (this.#round !== null) await this.#round;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopAlarm();
    await this.settled();
  }

  async #tellAll(): Promise<void> {
    await this.#tellActs();
    await this.#tellLosses();
    if (this.#due.size > 0) await this.#tellPayouts();
  }

  async #tellActs(): Promise<void> {
    const { operators, clock } = this.#parts;
    const waiting = await operators.approvals.list('waiting', WAITING_MAX);
    const owed = waiting
      .filter(({ expiresAtMs }) => expiresAtMs > clock.wallMs())
      .toReversed()
      .map((approval) => ({
        name: nameOf(approval),
        letter: () => announcementOf(approval, this.#parts),
      }));
    const known = new Set(owed.map(({ name }) => name));
    await this.#tellOwed(TOLD, owed, known);
  }

  /** Operators who lost power over money or over other operators within the last seven days. */
  async #tellLosses(): Promise<void> {
    const { operators, clock } = this.#parts;
    const nowMs = clock.wallMs();
    const owed = (await operators.operators()).flatMap((operator) => {
      const loss = recentLoss(operator, nowMs);
      const name = `${operator.operatorId} ${loss?.atMs}`;
      return loss === null ? [] : [{ name, letter: async () => lossLetter(operator, loss) }];
    });
    await this.#tellOwed(TOLD_LOSSES, owed, new Set(owed.map(({ name }) => name)));
  }

  /** One that was taken up or has ended meanwhile is told to nobody; the others are remembered, due again yet or not. */
  async #tellPayouts(): Promise<void> {
    const open = await this.#parts.lanes.live?.read(({ funds }) =>
      [...funds.openWithdrawals()].filter(({ state }) => state !== 'sent').map(payoutOf),
    );
    const known = new Set(open?.map(({ payoutId }) => payoutId));
    for (const id of this.#due.keys()) if (!known.has(id)) this.#due.delete(id);
    const owed = [...this.#due.values()].map((payout) => ({
      name: payout.payoutId,
      letter: async () => payoutLetter(payout),
    }));
    await this.#tellOwed(TOLD_PAYOUTS, owed, known);
  }

  /** Each to every address, once; what is not known any more is not kept as told. */
  async #tellOwed(
    setting: string,
    owed: readonly Owed[],
    known: ReadonlySet<string>,
  ): Promise<void> {
    const { platform, addresses } = this.#parts;
    const text = await platform.setting(setting);
    // Written below.
    const told = new Set<string>(text === null ? [] : (JSON.parse(text) as string[]));
    for (const { name, letter } of owed) {
      for (const to of addresses) {
        if (told.has(`${name} ${to}`) || this.#isClosed) continue;
        await this.#tell(to, await letter());
        told.add(`${name} ${to}`);
        const kept = [...told].filter((each) => known.has(each.slice(0, each.lastIndexOf(' '))));
        await platform.putSetting(setting, JSON.stringify(kept));
      }
    }
  }

  async #tell(to: string, letter: Omit<Letter, 'to'>): Promise<void> {
    const { mail, failed } = this.#parts;
    try {
      await mail.send({ to, ...letter });
    } catch (error) {
      if (!(error instanceof LetterRefused)) throw error;
      failed('an announcement to OPERATOR_MAIL was refused for good', error);
    }
  }

  #wentWell(): void {
    this.#isFailing = false;
  }

  #wentWrong(error: unknown): void {
    const { clock, failed } = this.#parts;
    if (!this.#isFailing) failed('what waits for operators was not mailed yet', error);
    this.#isFailing = true;
    if (!this.#isClosed) this.#stopAlarm = clock.setAlarm(AGAIN_MS, this.wake);
  }
}

/** What is to be told to every address. */
interface Owed {
  readonly name: string;
  letter(): Promise<Omit<Letter, 'to'>>;
}

/** What the token asked for is told again once an operator has taken it over. */
function nameOf({ approvalId, proposedBy }: ApprovalRecord): string {
  return `${approvalId} ${proposedBy}`;
}
