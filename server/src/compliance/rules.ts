// Rules as they are loaded, made ready to be asked: what is a person with these facts restricted in?
import {
  type ComplianceGroup,
  type ComplianceRules,
  complianceGroups,
  type LiftedBy,
  type Tier,
  tiers,
} from '@sibyl/contract';
import type { LaneName } from '../handling/handler.ts';
import type { Restriction, Restrictions } from '../handling/restriction.ts';
import { foldExact, foldName } from './folding.ts';

/** What is known of a person; null is not known. */
export interface Person {
  readonly name: string | null;
  readonly email: string | null;
  readonly wallet: string | null;
  readonly country: string | null;
  readonly tier: Tier;
}

/** What users declare themselves and lists match by. */
export type Fact = 'name' | 'wallet' | 'country';

/** A fact by which a list matched, in whatever lane. */
export interface ListedFact {
  readonly fact: Fact;
  readonly restriction: Restriction;
}

type Found = Omit<Restriction, 'details'> & { readonly details?: Restriction['details'] };
type JurisdictionRule = NonNullable<ComplianceRules['jurisdictions']>[number];
type Lanes = readonly LaneName[];

const LIVE: Lanes = ['live'];

/** A list made ready: looked up, not searched. */
interface ReadyList {
  readonly id: string;
  readonly lanes: Lanes;
  readonly names: ReadonlySet<string>;
  readonly emails: ReadonlySet<string>;
  readonly wallets: ReadonlySet<string>;
  readonly countries: ReadonlySet<string>;
}

export class RuleBook {
  readonly rules: ComplianceRules;
  readonly #lists: readonly ReadyList[];

  constructor(rules: ComplianceRules) {
    this.rules = rules;
    this.#lists = (rules.sanctions ?? []).map(readyList);
  }

  /** The gravest first: sanctions, jurisdictions, gates. */
  restrictionsOf(person: Person): Restrictions {
    return { live: this.#of(person, 'live'), sandbox: this.#of(person, 'sandbox') };
  }

  /** Of somebody who is not registered yet and declares a country. */
  strangersRestrictions(country: string | null, lane: LaneName): readonly Restriction[] {
    const found = this.#jurisdictions(country, lane);
    // There is no account yet whose country an operator could set.
    return found.map((one) => whole({ ...one, liftedBy: 'nothing' }));
  }

  /** By what the lists have a person: he must not get off them by declaring something else. */
  listedFacts(person: Person): readonly ListedFact[] {
    const { country } = person;
    const sanctioned = this.#lists.flatMap((list) =>
      factsOn(list, person).map((fact) => ({ fact, restriction: whole(sanction(list)) })),
    );
    if (country === null) return sanctioned;
    const barred = (this.rules.jurisdictions ?? [])
      .filter(({ countries }) => countries.includes(country))
      .map((rule) => ({ fact: 'country' as const, restriction: whole(barring(rule, country)) }));
    return [...sanctioned, ...barred];
  }

  /** Of sanctions or of countries, in whichever lane. */
  isOnList(person: Person): boolean {
    const { country } = person;
    return (
      this.#lists.some((list) => isListed(list, person)) ||
      (country !== null &&
        (this.rules.jurisdictions ?? []).some(({ countries }) => countries.includes(country)))
    );
  }

  #of(person: Person, lane: LaneName): readonly Restriction[] {
    const found = [
      ...this.#sanctions(person, lane),
      ...this.#jurisdictions(person.country, lane),
      ...this.#gates(person, lane),
    ];
    return found.map(whole);
  }

  *#sanctions(person: Person, lane: LaneName): Generator<Found> {
    for (const list of this.#lists) {
      if (list.lanes.includes(lane) && isListed(list, person)) yield sanction(list);
    }
  }

  #jurisdictions(country: string | null, lane: LaneName): Found[] {
    if (country === null) return [];
    return (this.rules.jurisdictions ?? [])
      .filter((rule) => rule.countries.includes(country) && (rule.lanes ?? LIVE).includes(lane))
      .map((rule) => barring(rule, country));
  }

  *#gates({ country, tier }: Person, lane: LaneName): Generator<Found> {
    for (const gate of this.rules.gates ?? []) {
      if (!(gate.lanes ?? LIVE).includes(lane)) continue;
      const { id: ruleId, operations = complianceGroups, tier_min: required } = gate;
      if (gate.country === true && country === null) yield undeclared(ruleId, operations);
      if (required !== undefined && tiers.indexOf(tier) < tiers.indexOf(required)) {
        const reason = `This needs tier ${required}; yours is ${tier}.`;
        const details = { tier, required_tier: required };
        const liftedBy: LiftedBy = 'tier_upgrade';
        yield { code: 'TIER_UPGRADE_REQUIRED', ruleId, operations, reason, liftedBy, details };
      }
    }
  }
}

function sanction({ id }: ReadyList): Found {
  return {
    code: 'SANCTIONS_HIT',
    ruleId: id,
    operations: complianceGroups,
    reason: 'The account matches an entry of a sanctions list. Write to the operator.',
    liftedBy: 'operator',
  };
}

/** Whoever does not live there has the operator set where he does. */
function barring(rule: JurisdictionRule, country: string): Found {
  return {
    code: 'JURISDICTION_BLOCKED',
    ruleId: rule.id,
    operations: rule.operations ?? complianceGroups,
    reason: `This is not offered to residents of ${country}.`,
    liftedBy: 'operator',
  };
}

function undeclared(ruleId: string, operations: readonly ComplianceGroup[]): Found {
  return {
    code: 'COMPLIANCE_GATE_BLOCKED',
    ruleId,
    operations,
    reason: 'This needs a declared country: say in your account where you live.',
    liftedBy: 'declared_country',
  };
}

function whole(found: Found): Restriction {
  return { details: {}, ...found };
}

function readyList(list: NonNullable<ComplianceRules['sanctions']>[number]): ReadyList {
  return {
    id: list.id,
    lanes: list.lanes ?? LIVE,
    names: new Set((list.names ?? []).map(foldName)),
    emails: new Set((list.emails ?? []).map(foldExact)),
    wallets: new Set((list.wallets ?? []).map(foldExact)),
    countries: new Set(list.countries ?? []),
  };
}

function isListed(list: ReadyList, person: Person): boolean {
  const { email } = person;
  return (email !== null && list.emails.has(foldExact(email))) || factsOn(list, person).length > 0;
}

function factsOn(list: ReadyList, { name, wallet, country }: Person): readonly Fact[] {
  const found: Fact[] = [];
  if (name !== null && list.names.has(foldName(name))) found.push('name');
  if (wallet !== null && list.wallets.has(foldExact(wallet))) found.push('wallet');
  if (country !== null && list.countries.has(country)) found.push('country');
  return found;
}
