// How many demo accounts or sandbox keys visitors may open: per address, per network, and all visitors together.
import { limits } from '@sibyl/contract';
import type { Clock } from '@sibyl/lane';
import { ApiError, type RequestContext, secondsText } from '../handling/handler.ts';
import { isIpv6, networkOf } from './network.ts';
import { RecentTimes } from './recent-times.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** The part of the hourly total that is kept for networks without an opening in the last 24 hours. */
const KEPT_PART = 10;

/** The subject under which all addresses are counted. */
const ALL = '*';

interface Wait {
  readonly limit: 'address' | 'network' | 'total';
  readonly waitMs: number;
}

export class VisitorQuota {
  readonly #things: 'demo accounts' | 'sandbox keys';
  readonly #perHour: number;
  readonly #lastHour: RecentTimes;
  readonly #lastDay: RecentTimes;
  /** Apart from the others: a table of many addresses forgets its oldest entry. */
  readonly #total: RecentTimes;

  /** `things` names in errors what is opened. */
  constructor(clock: Clock, things: 'demo accounts' | 'sandbox keys', perHour: number) {
    this.#things = things;
    this.#perHour = perHour;
    this.#lastHour = new RecentTimes(clock, HOUR_MS);
    this.#lastDay = new RecentTimes(clock, DAY_MS);
    this.#total = new RecentTimes(clock, HOUR_MS);
  }

  /** Counts one more opening, or returns the refusal with the longest wait. */
  take({ ipBucket, operation }: Pick<RequestContext, 'ipBucket' | 'operation'>): ApiError | null {
    const network = networkOf(ipBucket);
    const { perHour, perDay, networkPerHour, networkPerDay } = limits.demo;
    const waits: Wait[] = [
      { limit: 'address', waitMs: this.#waitMs(ipBucket, perHour, perDay) },
      {
        limit: 'network',
        waitMs: this.#isLimited(ipBucket)
          ? this.#waitMs(network, networkPerHour, networkPerDay)
          : 0,
      },
      { limit: 'total', waitMs: this.#totalMs(network) },
    ];
    const longest = waits.reduce((one, other) => (other.waitMs > one.waitMs ? other : one));
    if (longest.waitMs > 0) return this.#refusal(operation.rate, longest);
    this.#total.add(ALL);
    for (const subject of [ipBucket, network]) {
      this.#lastHour.add(subject);
      this.#lastDay.add(subject);
    }
    return null;
  }

  /** Whether the network counts: the /24 of an IPv4 address has many owners, so it limits keys, and no demo accounts of visitors. */
  #isLimited(address: string): boolean {
    return isIpv6(address) || this.#things === 'sandbox keys';
  }

  #waitMs(subject: string, perHour: number, perDay: number): number {
    const hourMs = this.#lastHour.waitMs(subject, perHour);
    return Math.max(hourMs, this.#lastDay.waitMs(subject, perDay));
  }

  #totalMs(network: string): number {
    // With a limit of 0 no wait helps; an hour keeps clients from asking often.
    if (this.#perHour === 0) return HOUR_MS;
    const isNew = this.#lastDay.waitMs(network, 1) === 0;
    const kept = isNew ? 0 : Math.floor(this.#perHour / KEPT_PART);
    return this.#total.waitMs(ALL, this.#perHour - kept);
  }

  #refusal(category: string, { limit, waitMs }: Wait): ApiError {
    const waitSec = Math.ceil(waitMs / 1000);
    return new ApiError('RATE_LIMITED', {
      message: `${this.#reason(limit)} Try again in ${secondsText(waitSec)}.`,
      details: { category, retry_after_sec: waitSec },
      headers: { 'retry-after': String(waitSec) },
    });
  }

  #reason(limit: Wait['limit']): string {
    if (limit === 'total') return `No more ${this.#things} are opened here this hour.`;
    const { perHour, perDay, networkPerHour, networkPerDay } = limits.demo;
    const [hour, day] = limit === 'address' ? [perHour, perDay] : [networkPerHour, networkPerDay];
    return `Too many ${this.#things} from this ${limit}: ${hour} an hour and ${day} a day are allowed.`;
  }
}
