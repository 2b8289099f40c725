// How an order behaves: the choices that few combinations cover, shared by all orders that made the same.
import type { PlaceOrder, StpMode, TimeInForce } from '../command.ts';

export interface OrderKind {
  readonly orderType: 'market' | 'limit';
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
  readonly stpMode: StpMode;
  /** How it takes when placed or amended; resting, both kinds are alike. */
  readonly execution: 'hybrid' | 'mid';
}

const TIMES: readonly TimeInForce[] = ['gtc', 'gtd', 'ioc', 'fok'];

const KINDS: OrderKind[] = [];
for (let choice = 0; choice < 128; choice += 1) {
  KINDS.push({
    orderType: (choice & 1) === 0 ? 'limit' : 'market',
    timeInForce: TIMES[(choice >> 1) & 3]!,
    postOnly: (choice & 8) !== 0,
    reduceOnly: (choice & 16) !== 0,
    stpMode: (choice & 32) === 0 ? 'cancel_resting' : 'cancel_incoming',
    execution: (choice & 64) === 0 ? 'hybrid' : 'mid',
  });
}

export function orderKind(choices: OrderKind | PlaceOrder): OrderKind {
  const { timeInForce } = choices;
  const time =
    timeInForce === 'gtc' ? 0 : timeInForce === 'gtd' ? 1 : timeInForce === 'ioc' ? 2 : 3;
  const choice =
    (choices.orderType === 'limit' ? 0 : 1) |
    (time << 1) |
    (choices.postOnly ? 8 : 0) |
    (choices.reduceOnly ? 16 : 0) |
    (choices.stpMode === 'cancel_resting' ? 0 : 32) |
    (choices.execution === 'hybrid' ? 0 : 64);
  return KINDS[choice]!;
}
