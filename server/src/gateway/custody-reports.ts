// Where the custody service reports what came in: signed calls on the operator's listener, apart from its operations, so
// that a proxy can let these through alone.

import { DepositReport, type ReportedDeposit } from '@sibyl/contract';
import type { FastifyInstance } from 'fastify';
import { ApiError, type ErrorDetails, fail, type Reply } from '../handling/handler.ts';
import type { CallFault, CustodyCalls } from '../ports/custody.ts';
import { chargeStranger, rateLimited } from './charging.ts';
import type { Incoming } from './exchange.ts';
import { type Admission, type Services, shuttingDown, strangersAdmission } from './gate.ts';
import type { Responder } from './respond.ts';
import { compileCheck } from './validation.ts';

export interface CustodyReports {
  /** Absent where no custody reports by itself. */
  readonly calls?: CustodyCalls | undefined;
  deposit(report: DepositReport, requestId: string): Promise<Reply<ReportedDeposit> | ApiError>;
}

const PATH = '/custody/v1/deposits';

export function serveCustodyReports(
  app: FastifyInstance,
  services: Services,
  responder: Responder,
  reports: CustodyReports,
): void {
  const check = compileCheck(DepositReport, 'body');
  app.post(
    PATH,
    {
      onRequest: (request, _reply, done) => {
        request.admission = strangersAdmission(services, request, null);
        done(services.drain.isDraining ? shuttingDown() : undefined);
      },
    },
    async (request, reply) => {
      const refused = refusalOf(services, reports, request);
      if (refused !== null) throw refused;
      const { body = {}, id } = request;
      if (body instanceof ApiError) throw body;
      const checked = check(body);
      if (checked !== true) throw checked.error;
      // Its schema has just been checked.
      const answer = await reports.deposit(body as DepositReport, id);
      if (answer instanceof ApiError) throw answer;
      responder.sendReply(request, reply, answer, null);
      return reply;
    },
  );
}

/** Whoever guesses is slowed down; a call that is the custody's costs nothing. */
function refusalOf(
  services: Services,
  { calls }: CustodyReports,
  request: Incoming,
): ApiError | null {
  if (calls === undefined) {
    const message = 'No custody service is set up here: CUSTODY_URL and CUSTODY_SECRET.';
    return fail('SERVICE_UNAVAILABLE', undefined, message);
  }
  const fault = callFault(services, calls, request);
  if (fault === null) return null;
  const admission: Admission = request.admission ?? strangersAdmission(services, request, null);
  admission.rate = chargeStranger(services, admission, 'account_write');
  return admission.rate.isAllowed ? fault : rateLimited(admission.rate);
}

function callFault(
  { clock }: Services,
  calls: CustodyCalls,
  { headers, rawBody }: Incoming,
): ApiError | null {
  const { 'x-sibyl-timestamp': timestamp, 'x-sibyl-signature': signature } = headers;
  if (timestamp === undefined || signature === undefined) {
    return fail('AUTH_REQUIRED', undefined, 'Sign the call: see docs/CUSTODY.md.');
  }
  const fault = calls.faultIn({
    timestamp: String(timestamp),
    signature: String(signature),
    body: rawBody ?? new Uint8Array(0),
  });
  return fault === null ? null : FAULTS[fault](clock.wallMs());
}

const FAULTS: Readonly<Record<CallFault, (nowMs: number) => ApiError>> = {
  forged: () => fail('SIGNATURE_INVALID'),
  skewed: (nowMs) => fail('TIMESTAMP_SKEW', { server_time_ms: nowMs } satisfies ErrorDetails),
  repeated: () =>
    fail(
      'NONCE_REUSED',
      undefined,
      'This very call was taken before: sign it anew, with the time of now.',
    ),
};
