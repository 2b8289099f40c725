// sibyl order and orders: place, try, look up, cancel.

import { type rejectReasons, selfTradeModes, sides, timesInForce } from '@sibyl/contract';
import type { Order, PlacedOrder } from '@sibyl/sdk';
import { Argument, type Command, Option } from 'commander';
import { exitCodes } from '../exit.ts';
import { amountText, type Column, stateColumn, timeText } from '../table.ts';
import type { Terminal } from '../terminal.ts';
import { wordsOf } from '../words.ts';
import { ask } from './ask.ts';
import { askLaneList, type PageOptions, withPages } from './listed.ts';
import {
  amount,
  given,
  holderOf,
  type ServerOptions,
  serve,
  wholeNumber,
  withExamples,
  withServer,
} from './server.ts';
import { type WhoseOptions, whoseOf, withWhose } from './whose.ts';

interface PlaceOptions extends ServerOptions, WhoseOptions {
  readonly price?: string;
  readonly timeInForce?: (typeof timesInForce)[number];
  readonly expiresInSec?: number;
  readonly postOnly?: boolean;
  readonly acceptPrice?: boolean;
  readonly reduceOnly?: boolean;
  readonly maxCost?: string;
  readonly clientOrderId?: string;
  readonly stpMode?: (typeof selfTradeModes)[number];
  readonly app?: string;
  readonly appFeeBps?: number;
}

type OneOptions = ServerOptions & WhoseOptions;

interface OrdersOptions extends ServerOptions, WhoseOptions, PageOptions {
  readonly status?: 'pending' | 'filled' | 'cancelled' | 'all';
  readonly market?: string;
}

const IF_UNKNOWN = 'sibyl orders lists yours';

export function addOrders(program: Command): void {
  const order = program.command('order').description('place, try, look up and cancel orders');
  withExamples(
    withOrder(order.command('place')).description('place an order: at a price, or at the market'),
    'sibyl order place m_0123456789abcdef yes buy 10 --price 0.55',
    'sibyl order place m_0123456789abcdef yes sell 10 --time-in-force fok --price 0.50',
    'sibyl order place m_0123456789abcdef no buy 5 --max-cost 3',
    'sibyl order place m_0123456789abcdef yes buy 10 --price 0.55 --on-behalf-of acc_0123456789abcdef',
  ).action((...values: PlaceArguments) => place(false, values));
  withExamples(
    withOrder(order.command('dry-run')).description(
      'what such an order would do; nothing is booked',
    ),
    'sibyl order dry-run m_0123456789abcdef yes buy 10 --price 0.55',
  ).action((...values: PlaceArguments) => place(true, values));
  withExamples(
    withWhose(withServer(order.command('show <order-id>'))).description(
      'one order, by its id or by coid: and your own name for it',
    ),
    'sibyl order show coid:my-first-order',
  ).action((orderId: string, options: OneOptions) =>
    ask(options, () => holderOf(options).orders.get(orderId, whoseOf(options)), {
      ifUnknown: IF_UNKNOWN,
    }),
  );
  withExamples(
    withWhose(withServer(order.command('cancel <order-id>'))).description('cancel an order'),
    'sibyl order cancel ord_0123456789abcdef',
  ).action((orderId: string, options: OneOptions) =>
    ask(options, () => holderOf(options).orders.cancel(orderId, whoseOf(options)), {
      words: ({ order_id: id, status }) => [`${id} is ${status}`],
      ifUnknown: IF_UNKNOWN,
    }),
  );
  addCancelAll(order);
  addList(program);
}

function addCancelAll(order: Command): void {
  withExamples(
    withWhose(withServer(order.command('cancel-all')))
      .description('cancel every open order, or those of one market')
      .option('--market <market-id>', 'of this market alone'),
    'sibyl order cancel-all --market m_0123456789abcdef',
  ).action((options: OneOptions & { readonly market?: string }) =>
    ask(options, () =>
      holderOf(options).orders.cancelAll({
        ...given({ market_id: options.market }),
        ...whoseOf(options),
      }),
    ),
  );
}

function addList(program: Command): void {
  withExamples(
    withWhose(withPages(withServer(program.command('orders'))))
      .description('your orders, newest first')
      .addOption(
        new Option('--status <status>', 'of this state alone').choices([
          ...['pending', 'filled', 'cancelled', 'all'],
        ]),
      )
      .option('--market <market-id>', 'of this market alone'),
    'sibyl orders --status pending',
    'sibyl orders --all --json',
  ).action((options: OrdersOptions) => {
    const { status, market } = options;
    const filter = { ...given({ status, market_id: market }), ...whoseOf(options) };
    return askLaneList(
      options,
      (page) => holderOf(options).account.orders({ ...filter, ...page }),
      orderColumns,
    );
  });
}

type PlaceArguments = [
  marketId: string,
  outcomeId: string,
  side: (typeof sides)[number],
  size: string,
  options: PlaceOptions,
];

function withOrder(command: Command): Command {
  return withWhose(withServer(command))
    .argument('<market-id>', 'the market')
    .argument('<outcome-id>', 'yes, no or another outcome of it')
    .addArgument(new Argument('<side>').choices([...sides]))
    .argument('<size>', 'shares', amount)
    .option(
      '--price <price>',
      'at most, or at least for a sale; without one it is a market order',
      amount,
    )
    .addOption(
      new Option('--time-in-force <kind>', 'how long it may wait').choices([...timesInForce]),
    )
    .option('--expires-in-sec <seconds>', 'the end of a gtd order', wholeNumber)
    .option('--post-only', 'rest in the book or be rejected')
    .option('--reduce-only', 'sell no more than is held')
    .option('--accept-price', 'accept a price far from what the outcome is worth')
    .option('--max-cost <amount>', 'what a buy may come to, with fees', amount)
    .option('--client-order-id <name>', 'your own name for it')
    .addOption(
      new Option('--stp-mode <mode>', 'what ends where it meets your own').choices([
        ...selfTradeModes,
      ]),
    )
    .option('--app <app-id>', 'the app that it comes through')
    .option('--app-fee-bps <number>', 'what the owner of the app gets of it', wholeNumber);
}

async function place(isTrial: boolean, values: PlaceArguments): Promise<void> {
  const [marketId, outcomeId, side, size, options] = values;
  const { price, expiresInSec } = options;
  await serve(options, async (terminal) => {
    const body = {
      market_id: marketId,
      outcome_id: outcomeId,
      side,
      size,
      order_type: price === undefined ? ('market' as const) : ('limit' as const),
      ...given({
        price,
        time_in_force: options.timeInForce,
        expires_at_ms: expiresInSec === undefined ? undefined : Date.now() + expiresInSec * 1000,
        post_only: options.postOnly,
        reduce_only: options.reduceOnly,
        accept_price: options.acceptPrice,
        max_cost: options.maxCost,
        client_order_id: options.clientOrderId,
        stp_mode: options.stpMode,
        builder: builderOf(options),
      }),
      ...whoseOf(options),
    };
    const placed = await holderOf(options).orders.place(body, isTrial ? { dry_run: true } : {});
    return show(terminal, placed);
  });
}

/** An order that the exchange took and rejected is one that was not placed. */
function show(terminal: Terminal, placed: PlacedOrder): number {
  terminal.result(placed, placedWords(placed));
  if (placed.status !== 'rejected') return exitCodes.done;
  const { reject_reason: reason } = placed;
  const why = terminal.isJson ? reason : (rejections[reason ?? ''] ?? reason);
  terminal.problem('ORDER_REJECTED', `the order was rejected: ${why}`);
  return exitCodes.failed;
}

const rejections: Readonly<Record<string, string>> = {
  fok_unfillable: 'not all of it could be filled at once, as fok demands',
  post_only_would_cross: 'it would have been filled at once, which --post-only forbids',
  late: 'it came after the time until which it was good',
  nothing_to_reduce: 'nothing is held that it could reduce',
} satisfies Record<(typeof rejectReasons)[number], string>;

function placedWords(placed: PlacedOrder): readonly string[] {
  const { preview } = placed;
  if (preview !== undefined) return ['nothing was booked; it would come to', ...wordsOf(preview)];
  const { order_id: id, status, side, size, outcome_id: outcome, filled_size: filled } = placed;
  const at = placed.price === null ? 'at the market' : `at ${amountText(placed.price)}`;
  const price =
    placed.avg_fill_price === null ? '' : ` at ${amountText(placed.avg_fill_price)} on average`;
  return [
    `${id} ${status}: ${side} ${amountText(size)} ${outcome} ${at}`,
    `filled ${amountText(filled)}${price}; fee ${amountText(placed.fee_paid)}, reserved ${amountText(placed.reserved)}`,
  ];
}

function builderOf({ app, appFeeBps }: PlaceOptions) {
  return app === undefined ? undefined : { app_id: app, ...given({ fee_bps: appFeeBps }) };
}

/** Null for one that the client gave so that it finds the order again. */
function ownName(name: string | null): string | null {
  return name === null || /^sdk-[0-9a-f-]{36}$/.test(name) ? null : name;
}

const orderColumns: readonly Column<Order>[] = [
  { head: 'ORDER', of: ({ order_id: id }) => id },
  stateColumn({ pending: 'yellow', partially_filled: 'yellow', filled: 'green', rejected: 'red' }),
  { head: 'MARKET', of: ({ market_id: id }) => id },
  { head: 'OUTCOME', of: ({ outcome_id: id }) => id },
  { head: 'SIDE', of: ({ side }) => side },
  { head: 'PRICE', of: ({ price }) => amountText(price), align: 'right' },
  { head: 'SIZE', of: ({ size }) => amountText(size), align: 'right' },
  { head: 'FILLED', of: ({ filled_size: filled }) => amountText(filled), align: 'right' },
  { head: 'PLACED', of: ({ created_at: at }) => timeText(at) },
  { head: 'YOUR NAME', of: ({ client_order_id: name }) => ownName(name) ?? '-' },
];
