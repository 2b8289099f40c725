// What a request passes before its handler: by its head who asks, and once its body is there whether they still may.
import { admitSigned } from '../gateway/admit-signed.ts';
import { NOT_BY_SIGNATURE } from '../gateway/authenticate.ts';
import type { Incoming, Outgoing } from '../gateway/exchange.ts';
import {
  type Admission,
  admit,
  admitAgain,
  admitWidget,
  passItems,
  passOperator,
  type Route,
  readsCredential,
  type Services,
  shuttingDown,
  strangersAdmission,
} from '../gateway/gate.ts';
import type { OperatorGuard } from '../gateway/operator-guard.ts';
import { bodyUnasked, type Claim, type SignedRequests } from '../gateway/signed-requests.ts';
import { leaveBody } from '../gateway/unread-body.ts';
import { widgetKeyOf } from '../gateway/widget-keys.ts';
import { ApiError, type Credential } from '../handling/handler.ts';

type Gate = (request: Incoming, reply: Outgoing, done: (error?: Error) => void) => void;

/** Who asks comes before what they send: the body of a request that is refused here is never read. */
export function headGateOf(services: Services, route: Route): Gate {
  const gate = gateOf(services, route);
  const { bodyBytesMax } = route.operation;
  return (request, reply, done) =>
    gate(request, reply, (error) => {
      if (error !== undefined) leaveBody(request, reply, bodyBytesMax);
      done(error);
    });
}

/** By the head alone. */
export function gateOf(services: Services, route: Route): Gate {
  const { operation } = route;
  const wantsCredential = readsCredential(operation);
  const isEmbedded = operation.errors.includes('WIDGET_ORIGIN_BLOCKED');
  return (request, _reply, done) => {
    const admission = strangersAdmission(services, request, route);
    request.admission = admission;
    if (services.drain.isDraining) {
      done(shuttingDown());
      return;
    }
    const stopped = services.maintenance?.refusalOf(operation) ?? null;
    if (stopped !== null) {
      done(stopped);
      return;
    }
    const { operatorGuard: guard } = services;
    if (guard !== null) {
      passGuard(services, request, admission, route, guard).then(
        (refused) => done(refused ?? undefined),
        done,
      );
      return;
    }
    const widgetKey = isEmbedded ? widgetKeyOf(request.headers) : null;
    if (widgetKey !== null) {
      services.widgets
        .appOf(widgetKey)
        .then((app) => admitWidget(services, request, admission, route, app))
        .then((refused) => done(refused ?? undefined), done);
      return;
    }
    const identified = wantsCredential
      ? services.authenticator.identify(request.headers, admission.receivedAtMs)
      : null;
    const pass = (who: Credential | ApiError | null): void =>
      done(admit(services, request, admission, route, who) ?? undefined);
    if (identified instanceof Promise) identified.then(pass, done);
    else if (identified === NOT_BY_SIGNATURE && services.signed !== null)
      passClaim(services.signed, request, admission, pass, done);
    else pass(identified);
  };
}

/** Who tried what they may not do is known to the operators. */
async function passGuard(
  services: Services,
  { id: requestId, params, headers }: Incoming,
  admission: Admission,
  route: Route,
  guard: OperatorGuard,
): Promise<ApiError | null> {
  const { operation } = route;
  // Who signs in has nothing to show yet.
  const identified = operation.auth === 'public' ? null : await guard.identify(headers);
  const refused = passOperator(services, admission, route, guard, identified);
  const { operator } = admission;
  if (refused === null || operator === null) return refused;
  await guard.note({ operator, operation, requestId, params, code: refused.code });
  return refused;
}

/** Of a request that is signed: its body decides, once it is there. */
function passClaim(
  signed: SignedRequests,
  { headers }: Incoming,
  admission: Admission,
  pass: (who: ApiError) => void,
  done: (error?: Error) => void,
): void {
  const take = (claim: Claim | ApiError): void => {
    if (claim instanceof ApiError) {
      pass(claim);
      return;
    }
    admission.claim = claim;
    done();
  };
  const claim = signed.claimOf(headers, admission.receivedAtMs);
  if (claim instanceof Promise) claim.then(take, done);
  else take(claim);
}

/** What is left to be decided once there is a body. */
export function bodyCheckOf(
  services: Services,
  route: Route,
): (request: Incoming) => ApiError | null {
  const { operation } = route;
  const hasBody = operation.input.body !== null;
  const costsItems = operation.rateCost === 'item';
  return (request) => {
    const { admission } = request;
    if (admission !== null && admission.claim !== null) {
      const refused = admitSigned(services, request, admission, route, admission.claim);
      if (refused !== null) return refused;
    }
    if (request.body instanceof ApiError) return request.body;
    if (hasBody && request.body === undefined) request.body = {};
    if (!hasBody && isFilled(request.body)) return bodyUnasked();
    if (!costsItems || admission === null) return null;
    return passItems(services, admission, operation, request.body);
  };
}

/** Some clients send an empty object with every request. */
function isFilled(body: unknown): boolean {
  if (body === undefined || body === null) return false;
  return typeof body !== 'object' || Object.keys(body).length > 0;
}

type Refusal = ApiError | null;

/** For bodies that come when they come: who asked by the head is looked at again if anything has changed since. */
export function bodyGateOf(services: Services, route: Route): Gate {
  const check = bodyCheckOf(services, route);
  return (request, _reply, done) => {
    const again = lookAgain(services, request, route);
    const pass = (refused: Refusal): void => done(refused ?? check(request) ?? undefined);
    if (again instanceof Promise) again.then(pass, done);
    else pass(again);
  };
}

/** What was revoked, has run out or was stopped while a body was on its way is not done any more. */
function lookAgain(
  services: Services,
  request: Incoming,
  route: Route,
): Refusal | Promise<Refusal> {
  const { admission } = request;
  if (admission === null) return null;
  const { operatorGuard: guard, authenticator, signed, clock, maintenance } = services;
  const stopped = maintenance?.refusalOf(route.operation) ?? null;
  if (stopped !== null) return stopped;
  if (guard !== null) {
    const isWatched = admission.operator !== null && route.operation.method !== 'GET';
    return isWatched ? passGuard(services, request, admission, route, guard) : null;
  }
  const { claim } = admission;
  const credential = claim === null ? admission.grant?.credential : claim.signer.credential;
  if (credential === undefined || credential instanceof ApiError) return null;
  const nowMs = clock.wallMs();
  const isOver = credential.expiresAtMs !== null && credential.expiresAtMs <= nowMs;
  if (!isOver && admission.changes === authenticator.changes) return null;
  const pass = (who: Credential | ApiError | null): Refusal =>
    admitAgain(services, admission, route, who);
  if (claim !== null && signed !== null) return claimAgain(signed, request, admission, nowMs, pass);
  const identified = authenticator.identify(request.headers, nowMs);
  return identified instanceof Promise ? identified.then(pass) : pass(identified);
}

/** The signature itself is looked at after this. */
async function claimAgain(
  signed: SignedRequests,
  { headers }: Incoming,
  admission: Admission,
  nowMs: number,
  pass: (who: ApiError) => Refusal,
): Promise<Refusal> {
  const claim = await signed.claimOf(headers, nowMs);
  if (claim instanceof ApiError) return pass(claim);
  admission.claim = claim;
  return null;
}
