// What names depend on besides the texts of a market; clients may meet kinds of a later exchange.
import type { Market } from '../resources/market.ts';

export interface MarketKind extends Pick<Market, 'template_id'> {
  readonly outcome_schema: string;
  readonly market_type: string;
}
