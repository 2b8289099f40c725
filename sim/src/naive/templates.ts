// Templates: what may be published, and whether a market's params fit.
import { checkOperator, isWhole } from './authority.ts';
import type { CommandOf, PlainAnswer, PlainTemplate } from './plain.ts';
import { openPool } from './pool.ts';
import { DONE, Refusals } from './refusal.ts';
import type { NaiveTemplate, World } from './world.ts';

type Definition = PlainTemplate;
type Json = Readonly<Record<string, unknown>>;

export function publishTemplate(world: World, command: CommandOf<'publish_template'>): PlainAnswer {
  const { template } = command;
  const refusals = new Refusals(world);
  checkDefinition(template, refusals);
  checkOperator(command.actor, refusals);
  if (!isSchema(template.paramsSchema)) refusals.add('TEMPLATE_SCHEMA_INVALID');
  else {
    const missing = missingKey(template);
    if (missing !== null) refusals.add('TEMPLATE_DISPLAY_KEY_MISSING', { key: missing });
  }
  const sources = ['sandbox_mock', 'manual', 'http_json', 'price_feed', 'quorum'];
  const { source } = template.oracleConfig;
  if (!sources.includes(source) || (source === 'sandbox_mock' && world.lane === 'live')) {
    refusals.add('ORACLE_ADAPTER_UNKNOWN');
  }
  const versions = world.templates.filter((each) => each.definition.id === template.id);
  if (versions.some((each) => each.deprecated)) refusals.add('STATE_CONFLICT');
  if (refusals.any) return refusals.answer();
  const version = versions.length + 1;
  world.templates.push({ definition: template, version, deprecated: false });
  world.events.push({ type: 'template_published', template, version });
  return DONE;
}

export function deprecateTemplate(
  world: World,
  command: CommandOf<'deprecate_template'>,
): PlainAnswer {
  const refusals = new Refusals(world);
  checkOperator(command.actor, refusals);
  const versions = world.templates.filter((each) => each.definition.id === command.templateId);
  if (versions.length === 0) refusals.add('MARKET_TEMPLATE_UNKNOWN');
  if (versions.some((each) => each.deprecated)) refusals.add('STATE_CONFLICT');
  if (refusals.any) return refusals.answer();
  for (const version of versions) version.deprecated = true;
  world.events.push({ type: 'template_deprecated', templateId: command.templateId });
  return DONE;
}

/** The latest version, unless deprecated. */
export function usableTemplate(world: World, templateId: string): NaiveTemplate | undefined {
  const versions = world.templates.filter((each) => each.definition.id === templateId);
  const latest = versions[versions.length - 1];
  return latest === undefined || latest.deprecated ? undefined : latest;
}

function checkDefinition(definition: Definition, refusals: Refusals): void {
  const need = (holds: boolean, field: string): void => {
    if (!holds) refusals.add('VALIDATION_FAILED', { expected: field });
  };
  const { feeSchedule: fees, oracleConfig, outcomes, prior, roundConfig: round } = definition;
  const inside = (value: unknown, low: number, high: number): boolean =>
    isWhole(value) && value >= low && value <= high;
  const name = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
  const text = (value: string): boolean => value.length >= 1 && value.length <= 128;
  need(name.test(definition.id), 'id');
  need(text(definition.name), 'name');
  need(text(definition.category), 'category');
  need(['fast', 'normal', 'creator'].includes(definition.marketType), 'market_type');
  const multi = definition.outcomeSchema === 'multi';
  need(
    multi || definition.outcomeSchema === 'binary' || definition.outcomeSchema === 'scalar',
    'outcome_schema',
  );
  const ids = new Set(outcomes.map((outcome) => outcome.id));
  const proper = outcomes.every((outcome) => name.test(outcome.id) && text(outcome.label));
  need(
    multi
      ? inside(outcomes.length, 2, 64) && ids.size === outcomes.length && proper
      : outcomes.length === 0,
    'outcomes',
  );
  need(definition.minBet >= 0n && definition.minBet <= definition.maxBet, 'min_bet');
  need(definition.maxBet > 0n && definition.maxBet <= 10n ** 15n, 'max_bet');
  need(
    inside(fees.takerBps, 8, 20) && inside(fees.makerBps, 3, 8) && inside(fees.settleBps, 0, 1000),
    'fee_schedule',
  );
  need(inside(definition.tickPips, 1, 1000) && 10000 % definition.tickPips === 0, 'tick');
  need(inside(definition.minLots, 1, 100_000_000_000), 'min_size');
  const fast = definition.marketType === 'fast';
  need(fast === (round !== null), 'round_config');
  if (round !== null) {
    const fits =
      inside(round.durationSec, 1, 86_400) &&
      inside(round.lockOffsetMs, 0, round.durationSec * 1000 - 1);
    need(fits, 'round_config');
  }
  const band = definition.bandPips;
  need(band === null || (!fast && inside(band, 1, 2000)), 'price_band');
  need(fast || inside(definition.durationSec, 1, 157_766_400), 'duration_sec');
  need(
    oracleConfig.challengeSec === null || inside(oracleConfig.challengeSec, 0, 2_592_000),
    'oracle_config',
  );
  need(oracleConfig.bond === null || oracleConfig.bond >= 0n, 'oracle_config');
  for (const tag of Object.keys(definition.displayDefaults.translations ?? {})) {
    need(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(tag), 'display_defaults');
  }
  const count = multi ? outcomes.length : 2;
  const priorFits =
    prior === null ||
    (prior.length === count &&
      prior.every((price) => inside(price, 100, 10000)) &&
      prior.reduce((sum, price) => sum + price, 0) === 10000);
  need(priorFits, 'prior');
  const deposit = definition.minCreatorDeposit;
  need(deposit >= 0n && !(multi && deposit === 0n), 'min_creator_deposit');
  if (deposit > 0n && priorFits && count >= 2 && openPool(deposit, count, prior) === null) {
    refusals.add('VALIDATION_FAILED', { expected: 'a deposit that a pool can take' });
  }
}

/** Is it the closed subset of JSON Schema that may be published? */
function isSchema(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  if (
    !Object.keys(schema).every((key) =>
      ['type', 'properties', 'required', 'additionalProperties'].includes(key),
    )
  ) {
    return false;
  }
  if ('type' in schema && schema.type !== 'object') return false;
  if ('additionalProperties' in schema && schema.additionalProperties !== false) return false;
  const properties = schema.properties;
  if (!isObject(properties)) return false;
  const names = Object.keys(properties);
  if (names.length > 32 || JSON.stringify(schema).length > 8192) return false;
  for (const name of names) {
    if (!/^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(name) || name in Object.prototype) return false;
    if (!isProperty(properties[name])) return false;
  }
  if (!('required' in schema)) return true;
  const required = schema.required;
  return (
    Array.isArray(required) &&
    new Set(required).size === required.length &&
    required.every((name: unknown) => typeof name === 'string' && names.includes(name))
  );
}

function isProperty(property: unknown): boolean {
  if (!isObject(property)) return false;
  const type = property.type;
  if (type !== 'string' && type !== 'integer' && type !== 'number' && type !== 'boolean')
    return false;
  const numeric = type === 'integer' || type === 'number';
  for (const [key, value] of Object.entries(property)) {
    if (key === 'type') continue;
    if (key === 'title' || key === 'description') {
      if (typeof value !== 'string') return false;
    } else if (key === 'enum') {
      if (!Array.isArray(value) || value.length < 1 || value.length > 256) return false;
      if (!value.every((each: unknown) => isOfType(type, each))) return false;
    } else if (key === 'minimum' || key === 'maximum') {
      if (!numeric || typeof value !== 'number' || !Number.isFinite(value)) return false;
    } else if (key === 'minLength' || key === 'maxLength') {
      if (type !== 'string' || !isWhole(value) || value < 0 || value > 256) return false;
    } else return false;
  }
  if (type === 'string' && !('enum' in property) && !('maxLength' in property)) return false;
  return (
    ordered(property.minimum, property.maximum) && ordered(property.minLength, property.maxLength)
  );
}

function ordered(low: unknown, high: unknown): boolean {
  return typeof low !== 'number' || typeof high !== 'number' || low <= high;
}

function isOfType(type: string, value: unknown): boolean {
  if (type === 'string') return typeof value === 'string' && value.isWellFormed();
  if (type === 'boolean') return typeof value === 'boolean';
  if (type === 'integer') return isWhole(value);
  return typeof value === 'number' && Number.isFinite(value);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function propertiesOf(schema: unknown): Readonly<Record<string, Json>> {
  const found: Record<string, Json> = {};
  const properties = isObject(schema) ? schema.properties : undefined;
  if (!isObject(properties)) return found;
  for (const [name, property] of Object.entries(properties))
    if (isObject(property)) found[name] = property;
  return found;
}

const PLACEHOLDER = /\{([^{}]*)\}/g;

function missingKey(definition: Definition): string | null {
  const known = Object.keys(propertiesOf(definition.paramsSchema));
  const { titleTemplate, subtitleTemplate, description, imageUrlPattern } =
    definition.displayDefaults;
  const texts = [titleTemplate, subtitleTemplate, description, imageUrlPattern];
  for (const outcome of definition.outcomes) texts.push(outcome.label);
  const { translations = {} } = definition.displayDefaults;
  for (const language of Object.keys(translations).sort()) {
    const translated = translations[language];
    texts.push(translated?.titleTemplate ?? null, translated?.subtitleTemplate ?? null);
  }
  for (const text of texts) {
    for (const [, name] of (text ?? '').matchAll(PLACEHOLDER)) {
      if (name !== undefined && !known.includes(name)) return name;
    }
  }
  return null;
}

type Params = Readonly<Record<string, string | number | boolean>>;

export function render(text: string, params: Params, encode: boolean): string {
  return text.replaceAll(PLACEHOLDER, (_, name: string) => {
    const value = Object.hasOwn(params, name) ? String(params[name]) : '';
    return encode ? encodeURIComponent(value) : value;
  });
}

/** The first param that does not fit, in ascending order of names; unknown names after the known ones. */
export function badParam(schema: unknown, params: Params): string | null {
  const properties = propertiesOf(schema);
  const requiredList = isObject(schema) && Array.isArray(schema.required) ? schema.required : [];
  for (const name of Object.keys(properties).sort()) {
    const property = properties[name];
    if (property === undefined) continue;
    if (!Object.hasOwn(params, name)) {
      if (requiredList.includes(name)) return name;
    } else if (!fits(property, params[name])) return name;
  }
  for (const name of Object.keys(params).sort()) if (!Object.hasOwn(properties, name)) return name;
  return null;
}

function fits(property: Json, value: unknown): boolean {
  if (!isOfType(String(property.type), value)) return false;
  const { enum: allowed, minimum, maximum, minLength, maxLength } = property;
  if (Array.isArray(allowed) && !allowed.includes(value)) return false;
  if (typeof value === 'number') {
    if (typeof minimum === 'number' && value < minimum) return false;
    if (typeof maximum === 'number' && value > maximum) return false;
  }
  if (typeof value === 'string') {
    const length = [...value].length;
    if (typeof minLength === 'number' && length < minLength) return false;
    if (typeof maxLength === 'number' && length > maxLength) return false;
  }
  return true;
}
