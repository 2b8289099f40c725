// The rules in force and everything that is asked of them: who is restricted, who comes too often, who was flagged.
import { hash } from 'node:crypto';
import { type AnyOperation, type ComplianceRules, type Tier, tiers } from '@sibyl/contract';
import type { LaneName } from '@sibyl/engine';
import type { Clock, Lane } from '@sibyl/lane';
import { ApiError, isoTime } from '../handling/handler.ts';
import {
  type Restriction,
  type Restrictions,
  refused,
  restrictionOf,
  UNRESTRICTED,
} from '../handling/restriction.ts';
import type { AddressUse, FlagRecord, RulesRecord } from '../ports/compliance.ts';
import type { PlatformStore, UserRecord } from '../ports/platform.ts';
import type { ProfileChange, ProfileRecord } from '../ports/profiles.ts';
import type { Random } from '../ports/random.ts';
import type { Secrets } from '../ports/secrets.ts';
import { foldExact, foldName } from './folding.ts';
import { type Fact, type Person, RuleBook } from './rules.ts';

export interface OfficeParts {
  readonly platform: PlatformStore;
  readonly lanes: Readonly<Partial<Record<LaneName, Lane>>>;
  readonly secrets: Secrets;
  readonly random: Random;
  readonly clock: Clock;
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const ID_LENGTH = 16;
const NOTHING: ComplianceRules = {};

/** How the interface calls what users declare. */
const FIELDS: Readonly<Record<Fact, string>> = {
  name: 'display_name',
  wallet: 'wallet_address',
  country: 'country',
};

const FIXED_COUNTRY: Restriction = {
  code: 'COMPLIANCE_GATE_BLOCKED',
  ruleId: 'country_set_by_operator',
  operations: [],
  reason: 'An operator has set your country. Write to the operator to have it changed.',
  liftedBy: 'operator',
  details: { field: FIELDS.country },
};

/** What a flag is raised for. */
type Finding = Pick<FlagRecord, 'kind' | 'ruleId' | 'subject' | 'lane' | 'detail' | 'blocks'>;

/** Who loads rules, and why. */
export interface Loading {
  readonly actor: string;
  readonly reason: string;
  readonly requestId: string;
}

export class ComplianceOffice {
  readonly #parts: OfficeParts;
  readonly #listeners = new Set<() => void>();
  #record: RulesRecord | null = null;
  #book = new RuleBook(NOTHING);
  /** One loading after the other. */
  #loading: Promise<unknown> = Promise.resolve();

  private constructor(parts: OfficeParts) {
    this.#parts = parts;
  }

  /** Goes by the rules that were loaded last; a lane that a crash kept from noting them notes them now. */
  static async open(parts: OfficeParts): Promise<ComplianceOffice> {
    const office = new ComplianceOffice(parts);
    const record = await parts.platform.compliance.currentRules();
    if (record === null) return office;
    office.#use(record);
    await office.#note(record, 'start');
    return office;
  }

  /** Null before any were loaded. */
  get record(): RulesRecord | null {
    return this.#record;
  }

  get rules(): ComplianceRules {
    return this.#book.rules;
  }

  /** Called when other rules hold. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  load(rules: ComplianceRules, loading: Loading): Promise<RulesRecord> {
    const result = this.#loading.then(() => this.#load(rules, loading));
    this.#loading = result.catch(() => undefined);
    return result;
  }

  /** What a user is restricted in; `tier` is that of the key, or of the user for a session. */
  async restrictionsOf(user: UserRecord | null, tier: string): Promise<Restrictions> {
    if (user === null || user.isDemo) return UNRESTRICTED;
    const byRules = await this.#byRules(user, tier);
    const { platform, clock } = this.#parts;
    const untilMs = await platform.factors.tradingHeldUntilMs(user.userId);
    if (untilMs === null || untilMs <= clock.wallMs()) return byRules;
    return { ...byRules, live: [...byRules.live, resetByHand(untilMs)] };
  }

  async #byRules(user: UserRecord, tier: string): Promise<Restrictions> {
    if (this.#record === null) return UNRESTRICTED;
    const { compliance } = this.#parts.platform;
    const profile = await this.#parts.platform.profiles.of(user.userId);
    const flags = await compliance.blocksOf(user.userId);
    const found = this.#book.restrictionsOf(personOf(user, profile, tier));
    if (flags.length === 0) return found;
    const blocksIn = (name: LaneName) =>
      flags.filter(({ lane }) => lane === null || lane === name).map(blockOf);
    return {
      live: [...found.live, ...blocksIn('live')],
      sandbox: [...found.sandbox, ...blocksIn('sandbox')],
    };
  }

  /** What a person would be restricted in, whoever it is. */
  test(person: Person): Restrictions {
    return this.#book.restrictionsOf(person);
  }

  /**
   * What a list matched by, and a country that an operator has set, a user does not change himself: else he would lift what
   * stops him. It is judged with each change, so that it matters not whether anything was refused before.
   */
  declarationRefusal(
    user: UserRecord,
    before: ProfileRecord,
    change: ProfileChange,
  ): ApiError | null {
    const person = personOf({ ...user, displayName: before.displayName }, before, user.tier);
    const after = { ...before, ...change };
    const changes: Readonly<Record<Fact, boolean>> = {
      name: foldName(after.displayName ?? '') !== foldName(before.displayName ?? ''),
      wallet: foldExact(after.walletAddress ?? '') !== foldExact(before.walletAddress ?? ''),
      country: after.country !== before.country,
    };
    const listed = this.#book.listedFacts(person).find(({ fact }) => changes[fact]);
    if (listed !== undefined) {
      const { fact, restriction } = listed;
      const reason = `${restriction.reason} Only the operator changes your ${fact} now.`;
      return refused({ ...restriction, reason, details: { field: FIELDS[fact] } });
    }
    return before.isCountryFixed && changes.country ? refused(FIXED_COUNTRY) : null;
  }

  /** Whether a list has the user, or an operator has set the country: neither is shed by closing the account. */
  isOperatorsMatter(user: UserRecord, profile: ProfileRecord): boolean {
    return profile.isCountryFixed || this.#book.isOnList(personOf(user, profile, user.tier));
  }

  /** Whether somebody without an account may go on; the country is what he says himself. */
  checkStranger(
    operation: AnyOperation,
    country: string | undefined,
    lane: LaneName,
  ): ApiError | null {
    const restrictions = this.#book.strangersRestrictions(country ?? null, lane);
    return restrictionOf(operation, restrictions);
  }

  /** Notes a sign-up of the address; a burst of them is refused, and flagged once. */
  async admitSignUp(ipBucket: string, subject: string): Promise<ApiError | null> {
    const rule = this.rules.anti_abuse?.sign_ups;
    const windowMs = (rule?.window_minutes ?? 0) * MINUTE_MS;
    // Without a rule nobody is refused, yet who came from where links accounts.
    const max = rule?.per_address ?? Number.POSITIVE_INFINITY;
    const use = this.#addressUse('sign_up', ipBucket, subject);
    const { compliance } = this.#parts.platform;
    if (await compliance.claimAddress(use, max, use.atMs - windowMs)) return null;
    const ruleId = rule?.id ?? '';
    const detail = `More than ${max} sign-ups from one address within ${rule?.window_minutes} minutes.`;
    const found = { kind: 'sign_ups', ruleId, subject: use.addressHash } as const;
    await this.flag({ ...found, lane: null, detail, blocks: false });
    return tooOften(ruleId, detail, Math.ceil(windowMs / 1000));
  }

  /** So many accounts of an address may use the faucet on a day. */
  async admitFaucet(ipBucket: string, accountId: string): Promise<ApiError | null> {
    const rule = this.rules.anti_abuse?.faucet;
    if (rule === undefined) return null;
    const use = this.#addressUse('faucet', ipBucket, accountId);
    const max = rule.accounts_per_address;
    if (await this.#parts.platform.compliance.claimAddress(use, max, 0)) return null;
    const detail = `More than ${max} accounts of one address used the faucet today.`;
    const found = { kind: 'faucet', ruleId: rule.id, subject: use.addressHash } as const;
    await this.flag({ ...found, lane: null, detail, blocks: false });
    return tooOften(rule.id, detail, Math.ceil((DAY_MS - (use.atMs % DAY_MS)) / 1000));
  }

  /** False if it was flagged before and is not cleared yet. */
  flag(finding: Finding): Promise<boolean> {
    const { platform, random, clock } = this.#parts;
    return platform.compliance.raiseFlag({
      flagId: `flg_${random.token(ID_LENGTH)}`,
      ...finding,
      raisedAtMs: clock.wallMs(),
      clearedAtMs: null,
      clearedBy: null,
      clearReason: null,
    });
  }

  async #load(rules: ComplianceRules, loading: Loading): Promise<RulesRecord> {
    const { platform, clock } = this.#parts;
    const content = JSON.stringify(rules);
    const digest = hash('sha256', content, 'hex');
    if (this.#record !== null && this.#record.hash === digest) return this.#record;
    const { actor, reason } = loading;
    const version = (this.#record?.version ?? 0) + 1;
    const record = { version, hash: digest, content, actor, reason, atMs: clock.wallMs() };
    if (!(await platform.compliance.addRules(record)))
      throw new Error(`rules ${version} are taken`);
    await this.#note(record, loading.requestId);
    this.#use(record);
    for (const listener of this.#listeners) listener();
    return record;
  }

  /** The journal proves which rules were in force when. */
  async #note({ version, hash: digest, actor, reason }: RulesRecord, requestId: string) {
    for (const lane of Object.values(this.#parts.lanes)) {
      const known = await lane.read((state) => state.compliance?.version ?? 0);
      if (known >= version) continue;
      const { answer } = await lane.submit({
        body: { type: 'set_compliance', version, hash: digest },
        actor: { kind: 'operator', name: actor, reason },
        requestId,
      });
      if (!answer.ok) throw new Error(`rules were not noted: ${answer.rejection.code}`);
    }
  }

  #use(record: RulesRecord): void {
    this.#record = record;
    // Written by `#load`, from what the contract had checked.
    this.#book = new RuleBook(JSON.parse(record.content) as ComplianceRules);
  }

  /** The key of the hash changes with the day, so that the store cannot be used to follow an address. */
  #addressUse(kind: AddressUse['kind'], ipBucket: string, subject: string): AddressUse {
    const { secrets, clock } = this.#parts;
    const atMs = clock.wallMs();
    const day = Math.floor(atMs / DAY_MS);
    return {
      kind,
      day,
      addressHash: secrets.digest('address', `${day} ${ipBucket}`),
      subject,
      atMs,
    };
  }
}

export function personOf(
  { displayName, email }: UserRecord,
  profile: ProfileRecord | null,
  tier: string,
): Person {
  const { country = null, walletAddress = null } = profile ?? {};
  return { name: displayName, email, wallet: walletAddress, country, tier: tierOf(tier) };
}

/** Play money is worth nothing to a thief. */
function resetByHand(untilMs: number): Restriction {
  const reason = `An operator's link reset the password: you can trade again at ${isoTime(untilMs)}. You can cancel orders.`;
  return {
    code: 'COMPLIANCE_GATE_BLOCKED',
    ruleId: 'password_reset',
    liftedBy: 'time',
    reason,
    operations: ['trade', 'create_market'],
    untilMs,
    details: { until_ms: untilMs },
  };
}

function blockOf({ ruleId, detail }: FlagRecord): Restriction {
  const reason = `Trading and withdrawals are stopped until an operator has looked at it: ${detail}`;
  const operations = ['trade', 'create_market', 'withdraw'] as const;
  const liftedBy = 'operator';
  return { code: 'ANTI_ABUSE_BLOCKED', ruleId, operations, reason, liftedBy, details: {} };
}

export function tierOf(text: string): Tier {
  return tiers.find((name) => name === text) ?? 'self_serve';
}

function tooOften(ruleId: string, detail: string, waitSec: number): ApiError {
  const base = refused({
    code: 'ANTI_ABUSE_BLOCKED',
    ruleId,
    operations: [],
    reason: detail,
    liftedBy: 'time',
    details: { retry_after_sec: waitSec },
  });
  const headers = { 'retry-after': String(waitSec) };
  return new ApiError(base.code, { details: base.details, message: base.message, headers });
}
