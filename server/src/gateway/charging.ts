// What a request costs: who is counted for it, by which quota, and what a caller is told who is at its end.
import type { RateCategory, RateScope } from '@sibyl/contract';
import { ApiError, secondsText } from '../handling/handler.ts';
import type { Grant } from './credential.ts';
import type { Admission, Services } from './gate.ts';
import { type NoticeHeaders, noticeHeaders } from './limit-notices.ts';
import type { Counted, RateDecision } from './rate-limit.ts';

export function rateLimited(rate: RateDecision): ApiError {
  const { category, scope, limit, retryAfterSec } = rate;
  const wait = secondsText(retryAfterSec);
  const what = `${category.replace('_', ' ')} requests ${HOLDERS[scope]}`;
  return new ApiError('RATE_LIMITED', {
    message: `Too many ${what}: ${limit} a minute are allowed. Try again in ${wait}.`,
    details: { category, scope, retry_after_sec: retryAfterSec },
    headers: { 'retry-after': String(retryAfterSec) },
  });
}

const HOLDERS: Readonly<Record<RateScope, string>> = {
  key: 'with this key',
  session: 'in your sessions',
  account: 'with all keys of the account together',
  app: 'by this app',
  address: 'from this address',
};

/** What the quota of the caller stands at, for the headers of an answer that was not charged. */
export function rateOf(services: Services, admission: Admission): RateDecision {
  if (admission.rate !== null) return admission.rate;
  const category = admission.route?.operation.rate ?? 'read';
  const limit = quotaOf(services, admission, category);
  if (isUnlimited(services, admission, category)) {
    return unlimited(services, admission, category, limit);
  }
  return services.limiter.peek(category, countedOf(admission), limit);
}

/** Takes one request from the address's share of a category. */
export function chargeStranger(
  services: Services,
  admission: Admission,
  category: RateCategory,
): RateDecision {
  admission.grant = null;
  return charge(services, admission, category, 1);
}

/** An app may ask for tokens as often as a session asks for anything of that kind. */
const QUOTA_OF_APPS = 'session';

/** What an app asks for that has shown its secret counts for it: the tokens of all its users are renewed from one address. */
export function countForApp(
  services: Services,
  admission: Admission,
  appId: string,
): ApiError | null {
  const { rate, address, receivedAtMs } = admission;
  if (rate === null || !services.hasLimits) return null;
  services.limiter.giveBack(rate, countedOf(admission));
  const { category } = rate;
  const limit = services.quotas.of(QUOTA_OF_APPS, receivedAtMs).perMinute[category];
  const app: Counted = { scope: 'app', caller: `app:${address}:${appId}`, account: null };
  admission.rate = services.limiter.take(category, app, limit, 1);
  return admission.rate.isAllowed ? null : rateLimited(admission.rate);
}

/**
 * Takes one hash of a password from the share of the address that strangers sign in with, so that many accounts of one
 * address compute no more hashes than a stranger there. A stranger's own request is that charge already; operators have none.
 */
export function chargeHash(services: Services, admission: Admission): ApiError | null {
  const { grant, address, client, receivedAtMs } = admission;
  if (grant === null || !services.hasLimits) return null;
  const category = 'account_write';
  const limit = services.quotas.of('anonymous', receivedAtMs).perMinute[category];
  const counted: Counted = {
    scope: 'address',
    account: null,
    caller: `ip:${address}:${client.bucket}`,
  };
  const rate = services.limiter.take(category, counted, limit, 1);
  if (rate.isAllowed) return null;
  admission.rate = rate;
  return rateLimited(rate);
}

/** How many files of the pages an address may have for each public read. */
const FILES_PER_READ = 10;

/** Takes one file from the address's share of the pages. */
export function chargeForFile(services: Services, admission: Admission): RateDecision {
  const limit = quotaOf(services, admission, 'read') * FILES_PER_READ;
  if (!services.hasLimits) return unlimited(services, admission, 'read', limit);
  const caller = `files:${admission.address}:${admission.client.bucket}`;
  return services.limiter.take('read', { scope: 'address', caller, account: null }, limit, 1);
}

/** Whether a page may bring along what it shows first: to an address as often as it may read. */
export function chargeForAnswers(services: Services, admission: Admission): boolean {
  if (!services.hasLimits) return true;
  const limit = quotaOf(services, admission, 'read');
  const caller = `answers:${admission.address}:${admission.client.bucket}`;
  const counted: Counted = { scope: 'address', caller, account: null };
  return services.limiter.take('read', counted, limit, 1).isAllowed;
}

export function charge(
  services: Services,
  admission: Admission,
  category: RateCategory,
  cost: number,
  costAgain = cost,
): RateDecision {
  const limit = quotaOf(services, admission, category);
  if (isUnlimited(services, admission, category)) {
    return unlimited(services, admission, category, limit);
  }
  return services.limiter.take(category, countedOf(admission), limit, cost, costAgain);
}

/** What a contract lifts; orders and writes keep their limits. */
const LIFTED: ReadonlySet<RateCategory> = new Set(['read', 'account_read']);

function isUnlimited(
  { hasLimits }: Services,
  { grant }: Admission,
  category: RateCategory,
): boolean {
  return !hasLimits || (grant?.isUncapped === true && LIFTED.has(category));
}

function unlimited(
  services: Services,
  admission: Admission,
  category: RateCategory,
  limit: number,
): RateDecision {
  const { scope } = countedOf(admission);
  const { clock } = services;
  return {
    isAllowed: true,
    category,
    scope,
    limit,
    remaining: limit,
    resetSec: Math.ceil(clock.wallMs() / 1000),
    retryAfterSec: 0,
    takenAtMs: clock.monotonicMs(),
  };
}

function quotaOf(services: Services, admission: Admission, category: RateCategory): number {
  return perMinuteOf(services, admission)[category];
}

export function perMinuteOf(
  { quotas }: Services,
  { grant, receivedAtMs }: Admission,
): Grant['perMinute'] {
  return grant?.perMinute ?? quotas.of('anonymous', receivedAtMs).perMinute;
}

/** Those of strangers are told on the public listener alone: operators are no strangers to theirs. */
export function noticesOf(services: Services, admission: Admission): NoticeHeaders {
  const { grant, rate, receivedAtMs } = admission;
  if (grant !== null) return grant.notices;
  if (services.operatorGuard !== null) return null;
  const holder = rate?.scope === 'app' ? QUOTA_OF_APPS : 'anonymous';
  const { announced } = services.quotas.of(holder, receivedAtMs);
  return announced.length === 0 ? null : noticeHeaders(announced);
}

function countedOf({ grant, client, address, widgetAppId }: Admission): Counted {
  if (grant !== null) return grant.counted;
  if (widgetAppId !== null) {
    const caller = `widget:${address}:${widgetAppId}:${client.bucket}`;
    return { scope: 'address', caller, account: null };
  }
  return { scope: 'address', caller: `ip:${address}:${client.bucket}`, account: null };
}
