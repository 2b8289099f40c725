// LOCALE over real sockets: texts, titles of markets and signals in each language, on one and the same stream.

import { type Locale, locales } from '@sibyl/contract/locales';
import { asAccountId, asTemplateId } from '@sibyl/engine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TEMPLATES } from '../../../lane/test/random-run.ts';
import { type Client, type Frame, openStage, pause, type Stage, submit } from './stage.ts';

const TITLES: Readonly<Record<Locale, string>> = {
  en: 'Question 7',
  de: 'Frage 7',
  es: 'Pregunta 7',
  zh: '问题 7',
};
const TAGS: Readonly<Record<Locale, string>> = {
  en: 'en-GB',
  de: 'de-CH',
  es: 'es-MX',
  zh: 'zh-CN',
};

let stage: Stage;
const clients = new Map<Locale, Client>();

beforeAll(async () => {
  stage = await openStage();
  for (const locale of locales) {
    const client = await stage.connect();
    const set = await client.ask({ op: 'LOCALE', id: 1, locale: TAGS[locale] }, 'locale_set');
    expect(set.data).toMatchObject({ locale, requested: TAGS[locale] });
    await client.ask({ op: 'SUBSCRIBE', params: ['markets_snapshot'] }, 'subscribed');
    await client.next('markets_snapshot');
    clients.set(locale, client);
  }
  const { displayDefaults } = TEMPLATES[1]!;
  const translated = (title: string, subtitle: string) => ({
    titleTemplate: `${title} {n}`,
    subtitleTemplate: subtitle,
  });
  const template = {
    ...TEMPLATES[1]!,
    id: asTemplateId('spoken'),
    displayDefaults: {
      ...displayDefaults,
      titleTemplate: 'Question {n}',
      subtitleTemplate: 'Number {n}',
      translations: {
        de: translated('Frage', 'Nummer {n}'),
        es: translated('Pregunta', 'Número {n}'),
        zh: translated('问题', '编号 {n}'),
      },
    },
  };
  await stage.exchange.operate({ type: 'publish_template', template });
});

afterAll(() => stage.close());

async function create(n: number, displayTitle: string | null): Promise<void> {
  const { answer } = await submit(stage, {
    type: 'create_market',
    accountId: asAccountId('acc_platform'),
    templateId: asTemplateId('spoken'),
    params: { n },
    displayTitle,
    displayImageUrl: null,
  });
  expect(answer).toMatchObject({ ok: true });
}

describe.each(locales)('[IF3a] a socket in %s', (locale) => {
  test('gets the titles of new markets, and those of a snapshot', async () => {
    if (locale === 'en') await create(7, null);
    const client = clients.get(locale)!;
    const created = await client.next('market_created');
    expect(created.data.market.title).toBe(TITLES[locale]);
    expect(created.data.market.subtitle).toBe(
      { en: 'Number 7', de: 'Nummer 7', es: 'Número 7', zh: '编号 7' }[locale],
    );
    const { market_id: id } = created.data.market;
    await client.ask({ op: 'SUBSCRIBE', params: [`markets_snapshot:${id}`] }, 'subscribed');
    const snapshot = await client.next(
      'markets_snapshot',
      (frame) => frame.stream?.endsWith(id) ?? false,
    );
    expect(snapshot.data.markets[0].title).toBe(TITLES[locale]);
  });

  test('hears a title of the market itself as it is', async () => {
    if (locale === 'en') await create(8, 'My own words');
    const client = clients.get(locale)!;
    const isEight = ({ type, data }: Frame) =>
      type === 'market_created' && data.market.params.n === 8;
    for (let turn = 0; turn < 400 && !client.frames.some(isEight); turn += 1) await pause(5);
    expect(client.frames.find(isEight)?.data.market.title).toBe('My own words');
  });

  test('is replayed what it missed in the language it now speaks', async () => {
    const client = await stage.connect();
    const epoch = client.frames[0]!.data.epoch;
    await client.ask({ op: 'LOCALE', locale }, 'locale_set');
    await client.ask({ op: 'RESUME', epoch, streams: { markets_snapshot: 0 } }, 'resumed');
    const replayed = await client.next('market_created');
    expect(replayed.data.market.title).toBe(TITLES[locale]);
    client.socket.close();
  });

  test('is told of its mistakes', async () => {
    const client = clients.get(locale)!;
    const missing = await client.ask({ op: 'SUBSCRIBE' }, 'error');
    expect(missing.data).toMatchObject({ code: 'MISSING_FIELD', details: { field: 'params' } });
    expect(missing.data.message).toBe(
      {
        en: 'A required field is absent: params',
        de: 'Ein Pflichtfeld fehlt: params',
        es: 'Falta un campo obligatorio: params',
        zh: '缺少必填字段：params',
      }[locale],
    );
    client.socket.send('{');
    const unread = await client.next('error');
    expect(unread.data).toMatchObject({ code: 'BAD_REQUEST', details: { reason: 'not_json' } });
    expect(unread.data.message).toBe(
      {
        en: 'The frame is not JSON.',
        de: 'Der Frame ist kein JSON.',
        es: 'El mensaje no es JSON.',
        zh: '该帧不是 JSON。',
      }[locale],
    );
    const refused = await client.ask({ op: 'SUBSCRIBE', params: ['account'] }, 'subscribed');
    expect(refused.data.rejected[0].message).toBe(
      {
        en: 'This operation needs a credential.',
        de: 'Dafür ist eine Anmeldung nötig.',
        es: 'Esta operación necesita una credencial.',
        zh: '此操作需要凭证。',
      }[locale],
    );
  });

  test('is told of what is unusual, with the title', async () => {
    const client = clients.get(locale)!;
    await client.ask({ op: 'AUTH', token: await stage.exchange.trader() }, 'authenticated');
    await client.ask({ op: 'SUBSCRIBE', params: ['signals'] }, 'subscribed');
    if (locale !== 'zh') return;
    const closing = 40_000_000 - 200_000;
    stage.exchange.clock.advance(closing);
    for (let turn = 0; turn < 20; turn += 1) {
      stage.exchange.clock.advance(1_000);
      await pause(5);
    }
    const words = {
      en: 'Trading closes soon',
      de: 'Der Handel schließt bald',
      es: 'La negociación cierra pronto',
      zh: '交易即将结束',
    };
    for (const [spoken, reader] of clients) {
      const isSeven = ({ data }: { data: { message: string } }) =>
        data.message.includes(TITLES[spoken]);
      const signal = await reader.next('signals', isSeven);
      expect(signal.data.kind).toBe('closing_soon');
      expect(signal.data.message).toContain(words[spoken]);
    }
  });
});

test('[IF3a] a farewell is said to each in its language', async () => {
  const farewell = await openStage();
  const said: Record<string, string> = {};
  const waiting: Promise<void>[] = [];
  for (const locale of locales) {
    const client = await farewell.connect();
    await client.ask({ op: 'LOCALE', locale }, 'locale_set');
    waiting.push(
      client.next('going_away').then(({ data }) => {
        said[locale] = data.message;
      }),
    );
  }
  await farewell.close();
  await Promise.all(waiting);
  expect(said).toEqual({
    en: 'The connection is about to close; connect again in 1 second.',
    de: 'Die Verbindung wird gleich getrennt; bitte in 1 Sekunde neu verbinden.',
    es: 'La conexión está a punto de cerrarse; vuelva a conectarse en 1 segundo.',
    zh: '连接即将关闭；请在 1 秒后重新连接。',
  });
});
