// The short way of plain orders: straight on the socket where that is wanted and works, else Node's HTTP as for all requests.
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { DirectRoute } from '../direct/direct-exchange.ts';
import { DirectFront, type DirectOptions } from '../direct/direct-front.ts';
import { bodyReaderOf } from '../direct/order-body.ts';
import { testDirectFront } from '../direct/self-test.ts';
import type { Services } from '../gateway/gate.ts';
import type { Log } from '../gateway/log.ts';
import type { Responder } from '../gateway/respond.ts';
import { answerSchemaOf, writerOf } from '../gateway/serialization.ts';
import { compileCheck } from '../gateway/validation.ts';
import { addressesOf, answerOf, type HandlerTable, type Operations } from './bind.ts';
import { bodyCheckOf, gateOf } from './gates.ts';

/** Which way it is, and why where it is not the short one. */
export type OrderWay =
  | { readonly way: 'direct'; readonly reason: null }
  | { readonly way: 'node'; readonly reason: string };

export interface OrderPath {
  readonly chosen: OrderWay;
  /** Requests that were answered straight on the socket. */
  answered(): number;
  /** Whether one of this connection is being answered so. */
  isAnswering(socket: Socket): boolean;
  close(): void;
}

/** The reason that is none to worry about. */
export const SWITCHED_OFF = 'DIRECT_ORDERS=off';

/** What the setting and this machine's Node allow. */
export async function chooseWay(isWanted: boolean): Promise<OrderWay> {
  if (!isWanted) return { way: 'node', reason: SWITCHED_OFF };
  const fault = await testDirectFront();
  return fault === null ? { way: 'direct', reason: null } : { way: 'node', reason: fault };
}

export interface OrderPathOptions {
  readonly app: FastifyInstance;
  readonly services: Services;
  readonly responder: Responder;
  readonly operations: Operations;
  readonly handlers: HandlerTable;
  readonly log: Log;
  /** False answers all requests by Node's HTTP. */
  readonly isWanted: boolean;
  /** The same as Node's server is told. */
  readonly limits: Pick<DirectOptions, 'requestsPerSocketMax' | 'keepAliveMs' | 'idleMs'>;
  readonly requestId: () => string;
}

/** To be called once Fastify is ready, and before anybody connects. */
export async function openOrderPath(options: OrderPathOptions): Promise<OrderPath> {
  const { app, services, log, limits, requestId } = options;
  const routes = directRoutes(options);
  const isWanted = options.isWanted && routes.size > 0;
  const chosen = await chooseWay(isWanted);
  // A listener without orders has nothing to say of them.
  if (routes.size > 0) tell(log, chosen, isWanted);
  if (chosen.way === 'node') {
    return { chosen, answered: () => 0, isAnswering: () => false, close: () => {} };
  }
  const { clock, drain } = services;
  const front = new DirectFront(app.server, { routes, clock, drain, requestId, ...limits });
  return {
    chosen,
    answered: () => front.answered,
    isAnswering: (socket) => front.isAnswering(socket),
    close: () => front.close(),
  };
}

/** What was not asked for is to be seen wherever the server runs. */
function tell(log: Log, { way, reason }: OrderWay, isWanted: boolean): void {
  if (way === 'direct') log.write('info', 'plain orders are answered straight on the socket');
  else if (isWanted) log.write('warn', "plain orders are answered by Node's HTTP", { reason });
  else log.write('info', "plain orders are answered by Node's HTTP", { reason });
}

/**
 * The routes that carry the load of a venue, by the first line of a request: those that place orders. Plain requests
 * for them need nothing of what Fastify does beside these checks.
 */
function directRoutes(options: OrderPathOptions): ReadonlyMap<string, DirectRoute> {
  const { services, responder, operations, handlers } = options;
  const routes = new Map<string, DirectRoute>();
  for (const [id, operation] of Object.entries(operations)) {
    const { method, input, group } = operation;
    if (group !== 'Orders' || method !== 'POST' || input.body === null || input.params !== null)
      continue;
    for (const { prefix, address } of addressesOf(services, operation)) {
      const path = `${prefix}${operation.path}`;
      const route = { operation, address };
      const query = {};
      if (input.query !== null) compileCheck(input.query, 'querystring')(query);
      routes.set(`${method} ${path} HTTP/1.1`, {
        route,
        method,
        path,
        query: Object.freeze(query),
        readBody: bodyReaderOf(operation.id),
        check: compileCheck(input.body, 'body'),
        serialize: writerOf(answerSchemaOf(operation)),
        gate: gateOf(services, route),
        admitBody: bodyCheckOf(services, route),
        answer: answerOf(services, responder, route, handlers[id]!),
        responder,
        routeOptions: { config: { route } },
      });
    }
  }
  return routes;
}
