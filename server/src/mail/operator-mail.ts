// Tells those who answer for the exchange, by mail, of every act that waits: for a second operator, or for the day after
// which one operator alone may confirm it. What was told is kept, so that a start tells nothing twice and forgets nothing.
import { type AnyOperation, operatorOperations } from '@sibyl/contract';
import type { Clock } from '@sibyl/lane';
import type { ApprovalRecord, ApprovalStore } from '../ports/approvals.ts';
import { type Letter, LetterRefused, type Mail } from '../ports/mail.ts';
import type { PlatformStore } from '../ports/platform.ts';

export interface OperatorMailParts {
  readonly mail: Pick<Mail, 'send'>;
  /** Whom it is sent to, each alone. */
  readonly addresses: readonly string[];
  readonly approvals: Pick<ApprovalStore, 'list'>;
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
    const { approvals, platform, addresses, clock } = this.#parts;
    const waiting = await approvals.list('waiting', WAITING_MAX);
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
    try {
      await mail.send({ to, ...announcementOf(approval) });
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

function announcementOf(approval: ApprovalRecord): Omit<Letter, 'to'> {
  const { approvalId, operation, lane, target, reason, proposedBy, confirmableAtMs } = approval;
  const operations: Readonly<Record<string, AnyOperation>> = operatorOperations;
  const act = operations[operation]?.summary ?? operation;
  // Written by `propose`.
  const { body } = JSON.parse(approval.input) as { readonly body?: object };
  const alone =
    confirmableAtMs === null
      ? `It runs once another operator agrees, until ${when(approval.expiresAtMs)}.`
      : `Nobody else could agree, so ${proposedBy} may confirm it alone from ${when(confirmableAtMs)} on. If it must not happen, reject it before then, or add another operator (sibyl operator add).`;
  const subject =
    confirmableAtMs === null
      ? `Sibyl: ${act} waits for a second operator`
      : `Sibyl: ${act} by one operator alone, from ${when(confirmableAtMs)} on`;
  const lines = [
    `${proposedBy} has asked for: ${act}${lane === null ? '' : `, ${lane}`}`,
    `Target: ${target}`,
    `Reason: ${reason}`,
    `Asked for: ${JSON.stringify(body ?? {})}`,
    '',
    alone,
    '',
    `  sibyl admin queue show ${approvalId}`,
    `  sibyl admin queue reject ${approvalId} --reason "…"`,
    '',
  ];
  return { subject, text: lines.join('\n') };
}

function when(atMs: number): string {
  return new Date(atMs).toISOString();
}
