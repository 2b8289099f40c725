// Templates as clients see them.
import type { Template as WireTemplate } from '@sibyl/contract';
import { oracleSources } from '@sibyl/contract';
import type { Parameters, Template } from '@sibyl/engine';
import { amountText, lotsText, pipsText } from './amounts.ts';
import { isoTimeOrNull } from './times.ts';

const MS_PER_SEC = 1000;

/** `publishedAtMs` comes from history; null if that is not known. */
export function templateView(
  template: Template,
  { resolution, band }: Parameters,
  publishedAtMs: number | null,
): WireTemplate {
  const { definition, version, status } = template;
  const { feeSchedule, displayDefaults, oracleConfig, roundConfig } = definition;
  const { subtitleTemplate, description, imageUrlPattern } = displayDefaults;
  return {
    id: definition.id,
    version,
    name: definition.name,
    category: definition.category,
    market_type: definition.marketType,
    outcome_schema: definition.outcomeSchema,
    asset: 'USDT',
    min_bet: amountText(definition.minBet),
    max_bet: amountText(definition.maxBet),
    min_creator_deposit: amountText(definition.minCreatorDeposit),
    requires_approval: definition.requiresApproval,
    outcomes: definition.outcomes.map(({ id, label }) => ({ id, label })),
    tick_size: pipsText(definition.tickPips),
    min_size: lotsText(definition.minLots),
    duration_sec: definition.durationSec,
    prior: definition.prior?.map(pipsText) ?? null,
    price_band:
      definition.marketType === 'fast' ? null : pipsText(definition.bandPips ?? band.pips),
    fee_schedule: {
      maker_bps: feeSchedule.makerBps,
      taker_bps: feeSchedule.takerBps,
      settle_bps: feeSchedule.settleBps,
    },
    params_schema: { ...template.schema },
    display_defaults: {
      title_template: displayDefaults.titleTemplate,
      ...(subtitleTemplate === null ? {} : { subtitle_template: subtitleTemplate }),
      ...(description === null ? {} : { description }),
      ...(imageUrlPattern === null ? {} : { image_url_pattern: imageUrlPattern }),
      ...translationFields(displayDefaults.translations),
    },
    oracle_config: {
      source: sourceOf(oracleConfig.source),
      params: { ...oracleConfig.params },
      challenge_sec: oracleConfig.challengeSec ?? resolution.challengeMs / MS_PER_SEC,
      bond: amountText(oracleConfig.bond ?? resolution.bondMin),
    },
    round_config:
      roundConfig === null
        ? null
        : { duration_sec: roundConfig.durationSec, lock_offset_ms: roundConfig.lockOffsetMs },
    status,
    published_at: isoTimeOrNull(publishedAtMs),
    published_at_ms: publishedAtMs,
  };
}

/** The key of a version in the times that history gives. */
export function versionKey({ definition, version }: Template): string {
  return `${definition.id}@${version}`;
}

function translationFields(
  translations: Template['definition']['displayDefaults']['translations'],
): Pick<WireTemplate['display_defaults'], 'translations'> {
  if (translations === undefined) return {};
  const entries = Object.entries(translations).map(([tag, { titleTemplate, subtitleTemplate }]) => {
    const subtitle = subtitleTemplate === null ? {} : { subtitle_template: subtitleTemplate };
    return [tag, { title_template: titleTemplate, ...subtitle }] as const;
  });
  return { translations: Object.fromEntries(entries) };
}

function sourceOf(source: string): (typeof oracleSources)[number] {
  const known = oracleSources.find((name) => name === source);
  if (known === undefined) throw new Error(`a template has the unknown oracle source ${source}`);
  return known;
}
