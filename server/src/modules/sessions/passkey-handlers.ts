// Passkeys over the page: register, rename, remove, and log in with one.
import { limits, type OperationInput } from '@sibyl/contract';
import {
  type AnswerTo,
  fail,
  type Handlers,
  type RequestContext,
  rejected,
} from '../../handling/handler.ts';
import { newFactorRefusal, stepUpRefusal } from '../../handling/step-up.ts';
import type { PlatformStore } from '../../ports/platform.ts';
import { newRecoveryCodes } from '../../proof/recovery-codes.ts';
import { demoRefusal } from '../../wire/demo-refusal.ts';
import { type Lanes, openAccounts } from './accounts.ts';
import { type PasskeyParts, type Passkeys, passkeyView } from './passkeys.ts';
import { openSession, ownSession } from './session.ts';

export type PasskeyHandlers = Pick<
  Handlers,
  'beginPasskey' | 'addPasskey' | 'renamePasskey' | 'removePasskey' | 'askPasskey'
>;

export function passkeyHandlers(parts: PasskeyParts, passkeys: Passkeys): PasskeyHandlers {
  const { platform, clock } = parts;
  return {
    beginPasskey: (request) => begin(parts, passkeys, request),
    addPasskey: (request, { body }) => add(parts, passkeys, request, body),
    async renamePasskey(request, { params, body }) {
      const { userId } = ownSession(request);
      const renamed = await platform.factors.renamePasskey(userId, params.passkey_id, body.label);
      return renamed === null ? fail('NOT_FOUND') : { data: passkeyView(renamed) };
    },
    async removePasskey(request, { params }) {
      const refused = await stepUpRefusal(parts, request);
      if (refused !== null) return refused;
      const { userId } = ownSession(request);
      const id = params.passkey_id;
      const removed = await platform.factors.removePasskey(userId, id, clock.wallMs());
      return removed === null ? fail('NOT_FOUND') : { data: passkeyView(removed) };
    },
    askPasskey: async () => ({ data: { options: await passkeys.proof() } }),
  };
}

async function begin(
  parts: PasskeyParts,
  passkeys: Passkeys,
  request: RequestContext,
): AnswerTo<'beginPasskey'> {
  const session = ownSession(request);
  const refused =
    demoRefusal(request, 'second factors') ?? (await newFactorRefusal(parts, session));
  if (refused !== null) return refused;
  const user = await parts.platform.userById(session.userId);
  if (user === null) return rejected('unknown');
  return { data: { options: await passkeys.creation(user) } };
}

/** Judged once more: a factor that was added since may ask for more than what the challenge was given for. */
async function add(
  parts: PasskeyParts,
  passkeys: Passkeys,
  request: RequestContext,
  { label, response }: OperationInput<'addPasskey'>['body'],
): AnswerTo<'addPasskey'> {
  const session = ownSession(request);
  const refused = await newFactorRefusal(parts, session);
  if (refused !== null) return refused;
  const { userId, sessionId } = session;
  const passkey = await passkeys.created(request, userId, response, label);
  if (passkey === null) {
    const expected = 'the answer of a browser to the options of beginPasskey';
    return fail('VALIDATION_FAILED', { field: 'response', expected });
  }
  const codes = newRecoveryCodes(parts.secrets, parts.random, userId);
  const { passkeysMax } = limits.factors;
  const added = await parts.platform.factors.addPasskey(passkey, codes.hashes, passkeysMax);
  if (added === 'taken') return fail('ALREADY_EXISTS', { field: 'response' });
  if (added === 'too_many') return fail('STATE_CONFLICT', { limit: passkeysMax });
  // The others never proved it: they end, and log in with it.
  await parts.platform.sessions.endOthers(userId, sessionId, parts.clock.wallMs());
  const shown = added === 'with_codes' ? codes.shown : [];
  return { data: { passkey: passkeyView(passkey), recovery_codes: shown } };
}

const NOT_TAKEN = 'The passkey is not known here, or its answer was not accepted.';

/** A passkey is unlocked by whoever it belongs to, so it is both factors at once. */
export async function logInWithPasskey(
  parts: PasskeyParts & { readonly platform: PlatformStore },
  passkeys: Passkeys,
  request: RequestContext & { readonly lanes: Lanes },
  response: Readonly<Record<string, unknown>>,
): AnswerTo<'logInWithPasskey'> {
  const passkey = await passkeys.proved(request, response);
  const user = passkey === null ? null : await parts.platform.userById(passkey.userId);
  if (user === null) return fail('PASSWORD_INCORRECT', { reason: 'passkey' }, NOT_TAKEN);
  await openAccounts(request.lanes, parts.platform, user, request.requestId);
  return openSession(parts, request, user);
}
