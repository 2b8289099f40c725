// Tells those who answer for the exchange, by mail, of every act that waits: for a second operator, or for the day after
// which one operator alone may confirm it. What was told is kept, so that a start tells nothing twice and forgets nothing.
import type { Clock } from '@sibyl/lane';
import type { ApprovalRecord } from '../ports/approvals.ts';
import { LetterRefused, type Mail } from '../ports/mail.ts';
import type { OperatorStore } from '../ports/operators.ts';
import type { PlatformStore } from '../ports/platform.ts';
import { announcementOf, type NamedRecords } from './announcement.ts';

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
const WAITING_MAX = 200;
const AGAIN_MS = 60_000;

export class OperatorMail {
  readonly #parts: OperatorMailParts;
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

  async settled(): Promise<void> {
    while (this.#round !== null) await this.#round;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopAlarm();
    await this.settled();
  }

  async #tellAll(): Promise<void> {
    const { operators, platform, addresses, clock } = this.#parts;
    const waiting = await operators.approvals.list('waiting', WAITING_MAX);
    const text = await platform.setting(TOLD);
    // Written below.
    const told = new Set<string>(text === null ? [] : (JSON.parse(text) as string[]));
    const owed = waiting
      .filter(({ expiresAtMs }) => expiresAtMs > clock.wallMs())
      .toReversed()
      .flatMap((approval) => addresses.map((to) => ({ approval, to })));
    const known = new Set(owed.map(nameOf));
    for (const each of owed) {
      if (told.has(nameOf(each)) || this.#isClosed) continue;
      await this.#tell(each);
      told.add(nameOf(each));
      const kept = [...told].filter((name) => known.has(name));
      await platform.putSetting(TOLD, JSON.stringify(kept));
    }
  }

  async #tell({ approval, to }: Owed): Promise<void> {
    const { mail, failed } = this.#parts;
    const letter = await announcementOf(approval, this.#parts);
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

interface Owed {
  readonly approval: ApprovalRecord;
  readonly to: string;
}

/** What the token asked for is told again once an operator has taken it over. */
function nameOf({ approval: { approvalId, proposedBy }, to }: Owed): string {
  return `${approvalId} ${proposedBy} ${to}`;
}
