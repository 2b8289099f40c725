// Finished requests on their way to the log that developers read: which are kept, and what of them.
import type { AnyOperation } from '@sibyl/contract';
import { nameOf } from '../handling/credentials.ts';
import type { RequestSink } from '../ports/requests.ts';
import type { Kept } from './exchange.ts';
import type { Admission } from './gate.ts';

/** Who looks at the log does not want to find that in it. */
const READS_OF_THE_LOG: ReadonlySet<string> = new Set([
  'listRequests',
  'getRequest',
  'getRequestSummary',
]);

const SECRET_NAME = /password|secret|passphrase|otp/;

/** Which bodies of an operation bear secrets, by the contract. */
interface Withheld {
  readonly body: boolean;
  readonly answer: boolean;
}

export class RequestRecorder {
  readonly #sink: RequestSink;
  readonly #withheld = new Map<AnyOperation, Withheld>();

  constructor(sink: RequestSink) {
    this.#sink = sink;
  }

  /** Whether a request is to be kept; asked once for each, as one that finds no room is counted. */
  wants(admission: Admission | null): boolean {
    if (admission === null || admission.grant === null || admission.route === null) return false;
    if (READS_OF_THE_LOG.has(admission.route.operation.id)) return false;
    return this.#sink.admits(admission.grant.credential.holderId);
  }

  /** What was kept is copied before this returns. */
  record(
    requestId: string,
    admission: Admission,
    status: number,
    elapsedMs: number,
    kept: Kept,
  ): void {
    const { grant, route, lane } = admission;
    if (grant === null || route === null) return;
    const { credential } = grant;
    const { operation } = route;
    const withheld = this.#withheldOf(operation);
    this.#sink.add({
      holderId: credential.holderId,
      credential: nameOf(credential),
      lane: lane?.name ?? route.address,
      operation: operation.id,
      requestId,
      atMs: admission.receivedAtMs,
      latencyUs: Math.round(elapsedMs * 1000),
      status,
      code: admission.code,
      head: kept.head,
      headEnd: kept.headEnd,
      body: withheld.body ? null : kept.body,
      bodyFrom: kept.bodyFrom,
      answer: withheld.answer ? null : kept.answer,
      isWithheld: withheld.body || withheld.answer,
    });
  }

  #withheldOf(operation: AnyOperation): Withheld {
    let withheld = this.#withheld.get(operation);
    if (withheld === undefined) {
      const { body } = operation.input;
      const names = Object.keys(body?.properties ?? {});
      withheld = {
        body: names.some((name) => SECRET_NAME.test(name)),
        answer: operation.bearsSecrets,
      };
      this.#withheld.set(operation, withheld);
    }
    return withheld;
  }
}
