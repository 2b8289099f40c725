// A template: the rules from which markets are made, as published and as the engine keeps it.
import type { Pips, Usdt } from '@sibyl/money';
import type { OutcomeId, TemplateId } from '../kit/identity.ts';
import type { ParamValue } from '../state/command.ts';

export type MarketType = 'fast' | 'normal' | 'creator';
export type OutcomeSchema = 'binary' | 'multi' | 'scalar';
export type OracleSource = 'sandbox_mock' | 'manual' | 'http_json' | 'price_feed' | 'quorum';

export const ORACLE_SOURCES: readonly OracleSource[] = [
  'sandbox_mock',
  'manual',
  'http_json',
  'price_feed',
  'quorum',
];

/** The closed subset of JSON Schema that users may publish; see TP2. */
export interface ParamsSchema {
  readonly type: 'object';
  readonly required?: readonly string[];
  readonly properties: Readonly<Record<string, ParamSchema>>;
}

export interface ParamSchema {
  readonly type: 'string' | 'integer' | 'number' | 'boolean';
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly ParamValue[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

export interface DisplayTranslation {
  readonly titleTemplate: string;
  readonly subtitleTemplate: string | null;
}

export interface TemplateDefinition {
  readonly id: TemplateId;
  readonly name: string;
  readonly category: string;
  readonly marketType: MarketType;
  readonly outcomeSchema: OutcomeSchema;
  /** Multi markets: the outcomes, labels with {param} placeholders. Binary and scalar: empty. */
  readonly outcomes: readonly { readonly id: OutcomeId; readonly label: string }[];
  readonly minBet: Usdt;
  readonly maxBet: Usdt;
  readonly feeSchedule: {
    readonly makerBps: number;
    readonly takerBps: number;
    readonly settleBps: number;
  };
  /** As received: checked by TP2 before anything trusts its shape. */
  readonly paramsSchema: unknown;
  readonly displayDefaults: {
    readonly titleTemplate: string;
    readonly subtitleTemplate: string | null;
    readonly description: string | null;
    readonly imageUrlPattern: string | null;
    /** The same in other languages, by language tag; the engine keeps them and renders none. */
    readonly translations?: Readonly<Record<string, DisplayTranslation>>;
  };
  /** Fast markets only. */
  readonly roundConfig: { readonly durationSec: number; readonly lockOffsetMs: number } | null;
  readonly oracleConfig: {
    readonly source: string;
    readonly params: Readonly<Record<string, ParamValue>>;
    /** Null takes the lane's default. */
    readonly challengeSec: number | null;
    readonly bond: Usdt | null;
  };
  readonly minCreatorDeposit: Usdt;
  /** How long a market stays open when its params give no closes_at_ms. */
  readonly durationSec: number;
  readonly tickPips: Pips;
  readonly minLots: number;
  /** The pool's opening prices in pips summing to 10000; null is uniform. */
  readonly prior: readonly Pips[] | null;
  readonly requiresApproval: boolean;
  /** How far an order may trade from the price of a moment ago; null takes the lane's, and fast markets have none. */
  readonly bandPips: number | null;
}

export interface Template {
  readonly definition: TemplateDefinition;
  readonly version: number;
  readonly schema: ParamsSchema;
  /** Of every market made from it, in order: orders are held against these rather than each market's own. */
  readonly outcomeIds: readonly OutcomeId[];
  status: 'active' | 'deprecated';
}
