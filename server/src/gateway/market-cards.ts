// Pictures of markets, for those who show a preview of a link: they count as reads of a stranger.

import { idKinds } from '@sibyl/contract';
import type { Locale } from '@sibyl/contract/locales';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, fail, type LaneName } from '../handling/handler.ts';
import { admitStranger } from './admit-stranger.ts';
import { type Services, strangersAdmission } from './gate.ts';
import type { Responder } from './respond.ts';

/** `busy` where too many wait already; null without such a market. */
export interface MarketCards {
  card(lane: LaneName, marketId: string, locale: Locale): Promise<Uint8Array | 'busy' | null>;
}

const MARKET_ID = new RegExp(idKinds.market.pattern);
const SHOWN_FOR_SEC = 60;

export function serveCards(
  app: FastifyInstance,
  services: Services,
  responder: Responder,
  cards: MarketCards,
): void {
  const { lanesRun } = services;
  const bind = (prefix: string, lane: LaneName): void => {
    app.get<{
      readonly Params: { readonly market_id: string };
      readonly Querystring: { readonly lang?: unknown };
    }>(
      `${prefix}/m/:market_id/card.png`,
      { onRequest: (request, reply, done) => done(refusalOf(services, responder, request, reply)) },
      async (request, reply) => {
        const png = await pngOf(
          cards,
          lane,
          request.params.market_id,
          drawnLocale(request.query.lang),
        );
        reply.header('cache-control', `public, max-age=${SHOWN_FOR_SEC}`);
        return reply.type('image/png').send(png);
      },
    );
  };
  bind('', lanesRun === 'sandbox' ? 'sandbox' : 'live');
  if (lanesRun !== 'live') bind('/sandbox', 'sandbox');
}

function refusalOf(
  services: Services,
  responder: Responder,
  request: FastifyRequest,
  reply: FastifyReply,
): ApiError | undefined {
  const admission = strangersAdmission(services, request, null);
  request.admission = admission;
  const refused = admitStranger(services, request, admission);
  responder.writeHeaders(request, reply, admission, false);
  return refused ?? undefined;
}

/** The font has no Chinese characters, so a Chinese preview has an English picture. */
function drawnLocale(lang: unknown): Locale {
  return lang === 'de' || lang === 'es' ? lang : 'en';
}

async function pngOf(
  cards: MarketCards,
  lane: LaneName,
  marketId: string,
  locale: Locale,
): Promise<Buffer> {
  const card = MARKET_ID.test(marketId) ? await cards.card(lane, marketId, locale) : null;
  if (card === null) throw fail('MARKET_NOT_FOUND');
  if (card !== 'busy') return Buffer.from(card.buffer, card.byteOffset, card.byteLength);
  throw new ApiError('SERVICE_UNAVAILABLE', {
    message: 'Too many cards are being drawn.',
    headers: { 'retry-after': '5' },
  });
}
