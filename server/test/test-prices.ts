// Reference prices under a secret that everybody knows: the same course in every run.

import { KeyedSecrets } from '../src/adapters/node/secrets.ts';
import { ReferencePrices } from '../src/bots/reference-price.ts';

export function testPrices(secret = 7): ReferencePrices {
  return new ReferencePrices(new KeyedSecrets(new Uint8Array(32).fill(secret)));
}
