// What was traded under a key, for graduation: read from closed days only.
import type { Usdt } from '@sibyl/money';

export interface AttributedVolume {
  /**
   * Taker and maker notional of fills attributed to the key, from the first to the last day,
   * both included; a day is the number of whole UTC days since 1970.
   */
  ofKey(publicId: string, firstDay: number, lastDay: number): Promise<Usdt>;
}
