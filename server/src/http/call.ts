// One request in its handler: in either lane, under its Idempotency-Key, and within its deadline.
import type { CommandKey } from '@sibyl/engine';
import type { Lane } from '@sibyl/lane';
import { requestContext } from '../gateway/context.ts';
import { NO_SLOT, type Waiting } from '../gateway/deadlines.ts';
import type { Incoming, Outgoing } from '../gateway/exchange.ts';
import type { Admission, Services } from '../gateway/gate.ts';
import { isRecorded } from '../gateway/idempotency.ts';
import type { Redactor } from '../gateway/redact.ts';
import type { Responder } from '../gateway/respond.ts';
import { ApiError, fail, type Reply } from '../handling/handler.ts';
import { withOtherLane } from '../wire/other-lane.ts';
import type { AnyHandler } from './bind.ts';

/** What all calls of a route share. */
export interface CallParts {
  readonly services: Services;
  readonly responder: Responder;
  readonly handler: AnyHandler;
  readonly redactor: Redactor | null;
}

export class Call implements Waiting {
  readonly sinceMs: number;
  slot = NO_SLOT;
  readonly #parts: CallParts;
  readonly #request: Incoming;
  readonly #reply: Outgoing;
  readonly #admission: Admission;
  #key: CommandKey | undefined = undefined;
  #isAnswered = false;

  constructor(parts: CallParts, request: Incoming, reply: Outgoing, admission: Admission) {
    this.sinceMs = parts.services.deadlines.nowMs();
    this.#parts = parts;
    this.#request = request;
    this.#reply = reply;
    this.#admission = admission;
  }

  /** Refused while a request with the same key runs; then led to the lane that saw the key first. */
  runKeyed(lane: Lane, key: CommandKey): void {
    const { services } = this.#parts;
    const refused = services.inFlight.enter(key);
    if (refused !== null) {
      this.#answer(refused);
      return;
    }
    const other = this.#otherLane(lane);
    if (other === null) {
      this.run(lane, key);
      return;
    }
    isRecorded(other, key, this.#admission.receivedAtMs).then(
      (isThere) => this.run(isThere ? other : lane, key),
      () => this.run(lane, key),
    );
  }

  run(lane: Lane, key: CommandKey | undefined): void {
    const { services, handler } = this.#parts;
    this.#key = key;
    let answer: ReturnType<AnyHandler>;
    try {
      const context = requestContext(services, this.#request, this.#admission, lane, key);
      const { params, query, body } = this.#request;
      this.#admission.lane = lane;
      // The schemas of the operation have just been checked, which is what the handler's type says.
      answer = handler(context, { params, query, body } as never);
    } catch (error) {
      this.#finish(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    if (!(answer instanceof Promise)) {
      this.#finish(answer);
      return;
    }
    services.deadlines.enter(this);
    answer.then(
      (reply) => this.#finishTelling(lane, reply),
      (error: Error) => this.#finishTelling(lane, error),
    );
  }

  /** A market that is in the other lane is said to be there; operators name their lane themselves. */
  #finishTelling(lane: Lane, answer: Reply | Error): void {
    const { lanes, operatorGuard } = this.#parts.services;
    const isUnknown = answer instanceof ApiError && answer.code === 'MARKET_NOT_FOUND';
    if (!isUnknown || operatorGuard !== null) {
      this.#finish(answer);
      return;
    }
    withOtherLane(answer, lane.name, lanes).then(
      (told) => this.#finish(told),
      () => this.#finish(answer),
    );
  }

  /** What becomes of the command is not known yet, so its key stays taken until it is. */
  giveUp(): void {
    this.#answer(fail('UPSTREAM_TIMEOUT'));
  }

  #finish(answer: Reply | Error): void {
    const { services } = this.#parts;
    services.deadlines.leave(this);
    if (this.#key !== undefined) services.inFlight.leave(this.#key);
    this.#answer(answer);
  }

  #answer(answer: Reply | Error): void {
    if (this.#isAnswered) return;
    this.#isAnswered = true;
    const { responder, redactor } = this.#parts;
    if (answer instanceof Error) responder.sendError(this.#request, this.#reply, answer);
    else responder.sendReply(this.#request, this.#reply, answer, redactor);
  }

  /** Where a credential may have been before; a key of the sandbox has never been anywhere else. */
  #otherLane(lane: Lane): Lane | null {
    const { lanes, lanesRun } = this.#parts.services;
    const credential = this.#admission.grant?.credential;
    if (lanesRun !== 'both' || credential === undefined) return null;
    if (credential.kind === 'key' && credential.mintedAt === 'sandbox') return null;
    // The grant of an app is for one lane, and a session is in the one that its address names.
    if (credential.kind !== 'key') return null;
    return lanes[lane.name === 'live' ? 'sandbox' : 'live'] ?? null;
  }
}
