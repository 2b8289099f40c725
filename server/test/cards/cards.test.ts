import { type Market, operations } from '@sibyl/contract';
import { UTC } from '@sibyl/contract/names';
import { ManualClock } from '@sibyl/lane/testing';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { CardMaker, type CardOptions } from '../../src/cards/card-maker.ts';
import { cardSvg } from '../../src/cards/card-svg.ts';
import { marketWords } from '../../src/cards/market-words.ts';
import { earlyList, earlyMarket } from '../../src/gateway/early-page.ts';
import { marketHead } from '../../src/gateway/market-head.ts';
import { readerOf } from '../../src/wire/reader.ts';
import { type Harness, openHarness } from '../gateway/harness.ts';
import { pixelsOf } from './png.ts';

const example: Market = operations.getMarket.example.data;
const ID = example.market_id;
const WIDTH = 1200;
const ENGLISH = { locale: 'en', zone: UTC } as const;

/** One thread draws those of which only the picture matters. */
const markets = new Map<string, Market>();
const painter = new CardMaker({
  clock: new ManualClock(0),
  market: async (_lane, id) => markets.get(id) ?? null,
});
afterAll(() => painter.close());

let maker: CardMaker | null = null;
let harness: Harness | null = null;
afterEach(async () => {
  await maker?.close();
  maker = null;
  await harness?.close();
  harness = null;
});

function open(market: CardOptions['market'], more: Partial<CardOptions> = {}): CardMaker {
  maker = new CardMaker({ clock: new ManualClock(0), market, ...more });
  return maker;
}

async function drawn(market: Market, lane: 'live' | 'sandbox' = 'live') {
  const id = `m_${String(markets.size).padStart(12, '0')}`;
  markets.set(id, market);
  const card = await painter.card(lane, id, 'en');
  if (!(card instanceof Uint8Array)) throw new Error(`no card but ${card}`);
  return pixelsOf(Buffer.from(card));
}

/** Points of the card that have another colour than the ground. */
function inkIn(
  { width, at }: ReturnType<typeof pixelsOf>,
  [left, top, right, bottom]: readonly [number, number, number, number],
): number {
  const ground = at(2, 300);
  let count = 0;
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < Math.min(right, width); x += 1) if (at(x, y) !== ground) count += 1;
  }
  return count;
}

const TITLE = [80, 95, 1120, 390] as const;
const FIGURE = [80, 440, 700, 535] as const;
const CLOSING = [80, 550, 1120, 600] as const;
const BADGE = [900, 40, 1120, 88] as const;
const EDGES = [
  [0, 20, 76, 630],
  [1130, 20, 1200, 630],
] as const;

describe('a card', () => {
  it('[SC1] is 1200 by 630, with title, figure and closing time, and a badge in the sandbox only', async () => {
    const live = await drawn(example);
    expect([live.width, live.height]).toEqual([WIDTH, 630]);
    for (const place of [TITLE, FIGURE, CLOSING]) expect(inkIn(live, place)).toBeGreaterThan(500);
    expect(inkIn(live, BADGE)).toBe(0);
    const sandbox = await drawn(example, 'sandbox');
    expect(inkIn(sandbox, BADGE)).toBeGreaterThan(5_000);
  });

  it('[SC1] says a chance in cents, the leading outcomes, or the number that is expected', () => {
    const { leading, closing } = marketWords(example, ENGLISH);
    expect(leading).toEqual([{ label: 'Yes', figure: '54¢' }]);
    expect(closing).toBe('Closes Jan 1, 2027, 12:00 AM UTC');
    const outcome = (id: string, price: string) => ({ id, label: id, price, volume_24h: '0' });
    const outcomes = ['0.004000', '0.300000', '0.500000', '0.196000'].map((price, index) =>
      outcome(`o${index}`, price),
    );
    const multi = marketWords({ ...example, outcome_schema: 'multi', outcomes }, ENGLISH);
    expect(multi.leading.map(({ label, figure }) => `${label} ${figure}`)).toEqual([
      'o2 50¢',
      'o1 30¢',
      'o3 20¢',
    ]);
    const ends = { lower: '-10', upper: '40.5', unit: '°C' };
    const pair = [outcome('long', '0.200000'), outcome('short', '0.800000')];
    const scalar = { ...example, outcome_schema: 'scalar', outcomes: pair, params: ends } as const;
    expect(marketWords(scalar, ENGLISH).leading).toEqual([{ label: 'Expected', figure: '0.1 °C' }]);
    const sure = [outcome('yes', '0.999000'), outcome('no', '0.001000')];
    expect(marketWords({ ...example, outcomes: sure }, ENGLISH).leading[0]?.figure).toBe('>99¢');
  });

  const hostile: Readonly<Record<string, string>> = {
    markup: '</text><script>alert(1)</script><image href="http://127.0.0.1:1/x"/>&amp;&#0;',
    'ten thousand characters': 'An endless question about everything '.repeat(280),
    'one word of ten thousand letters': 'W'.repeat(10_000),
    'marks of direction': '\u202eevil\u202c \u2066left\u2069 \u200fright\u200e \u061c',
    'stacked accents': `Z${'\u0301'.repeat(200)} wins`,
    emoji: '👩‍👩‍👧‍👦 wins 🏆? '.repeat(30),
    'other scripts': 'Будет ли дождь? هل ستمطر غدا؟ 明日は雨が降りますか？',
    'half a character': 'x\ud800y\udc00z\u0000\u0007',
    'nothing at all': '',
  };

  it.each(Object.entries(hostile))('[SC2] is whole with %s in its title', async (_what, title) => {
    const outcomes = example.outcomes.map((one) => ({ ...one, label: title }));
    const card = await drawn({ ...example, title, outcomes });
    expect([card.width, card.height]).toEqual([WIDTH, 630]);
    for (const place of [TITLE, FIGURE, CLOSING]) expect(inkIn(card, place)).toBeGreaterThan(300);
    for (const edge of EDGES) expect(inkIn(card, edge)).toBe(0);
  });

  it('[SC2] is drawn of text that cannot be markup, in four lines at most, with an ellipsis', () => {
    const svg = cardSvg(marketWords({ ...example, title: hostile.markup! }, ENGLISH), 'live');
    expect(svg).not.toMatch(/<(script|image)/);
    expect(svg).toContain('&lt;script&gt;');
    const long = cardSvg(
      marketWords({ ...example, title: 'long words '.repeat(900) }, ENGLISH),
      'live',
    );
    const lines = [...long.matchAll(/font-size="52"[^>]*>([^<]*)</g)].map(([, line]) => line);
    expect(lines).toHaveLength(4);
    expect(lines.at(-1)).toMatch(/^(long|words) .*[a-z]…$/);
    expect(lines.slice(0, 3).join(' ')).toMatch(/^(long words )+(long|long words)?$/);
  });
});

describe('cards', () => {
  it('[SC3] are drawn once for all who ask within a minute', async () => {
    let looks = 0;
    const clock = new ManualClock(0);
    const find = async () => {
      looks += 1;
      return example;
    };
    const cards = open(find, { clock });
    const [first, second] = await Promise.all([
      cards.card('live', ID, 'en'),
      cards.card('live', ID, 'en'),
    ]);
    expect(second).toBe(first);
    clock.advance(59_000);
    expect(await cards.card('live', ID, 'en')).toBe(first);
    expect(looks).toBe(1);
    clock.advance(1_000);
    await cards.card('live', ID, 'en');
    expect(looks).toBe(2);
  });

  it('[SC3] are refused to those for whom there is no room, and are there again later', async () => {
    const cards = open(async () => example, { waitingMax: 2 });
    const ids = ['m_000000000001', 'm_000000000002', 'm_000000000003'];
    const answers = await Promise.all(ids.map((id) => cards.card('live', id, 'en')));
    expect(answers.map((answer) => answer === 'busy')).toEqual([false, false, true]);
    expect(await cards.card('live', 'm_000000000003', 'en')).toBeInstanceOf(Uint8Array);
  });

  it('[SC1][SC3] are served with a type and an age, and count as reads of a stranger', async () => {
    const cards = open(async (lane, id) => (lane === 'sandbox' && id === ID ? example : null));
    harness = await openHarness({ cards });
    const card = await harness.call({ url: `/sandbox/m/${ID}/card.png` });
    expect(card.statusCode).toBe(200);
    expect(card.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=60',
      'x-ratelimit-category': 'read',
      'x-ratelimit-scope': 'address',
    });
    expect(pixelsOf(card.rawPayload).width).toBe(WIDTH);
    for (const url of [`/m/${ID}/card.png`, '/m/m_000000000000/card.png', '/m/x/card.png']) {
      const answer = await harness.call({ url });
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toMatchObject({ ok: false, error: { code: 'MARKET_NOT_FOUND' } });
      expect(answer.headers['content-type']).toMatch(/^application\/json/);
      expect(String(answer.headers['cache-control'])).not.toMatch(/public/);
    }
  });
});

describe('the head of a market’s page', () => {
  it('[SC4] names title, description, picture and address', () => {
    const head = marketHead(example, 'sandbox', 'https://sibyl.example/', ENGLISH);
    const page = `https://sibyl.example/sandbox/m/${ID}`;
    expect(head).toContain('<title>Will BTC close above 100000? · Sibyl</title>');
    expect(head).toContain(`<meta property="og:url" content="${page}">`);
    expect(head).toContain(`<meta property="og:image" content="${page}/card.png">`);
    expect(head).toContain('<meta name="twitter:card" content="summary_large_image">');
    expect(head).toMatch(/name="description" content="Sandbox: play money\. Yes 54¢\. Closes /);
    const live = marketHead(example, 'live', 'https://sibyl.example', ENGLISH);
    expect(live).toContain(`content="https://sibyl.example/m/${ID}"`);
    expect(live).not.toMatch(/sandbox/i);
  });

  it('[SC4] is nothing but tags of its own, whatever the title', () => {
    const title = '"><script>alert(1)</script><meta x="';
    const outcomes = example.outcomes.map((one) => ({ ...one, label: title }));
    const head = marketHead(
      { ...example, title, outcomes },
      'live',
      'https://sibyl.example',
      ENGLISH,
    );
    for (const line of head.split('\n'))
      expect(line).toMatch(
        /^<(title>[^<>]*<\/title|meta (name|property)="[\w:]+" content="[^"<>]*")>$/,
      );
  });
});

/** As the sandbox has them, in the words of the exchange. */
const above: Market = {
  ...example,
  template_id: 'price-above',
  title: 'Will BTC close above 110000?',
  rendered_title: 'Will BTC close above 110000?',
  params: { symbol: 'BTC', level: 110_000 },
};
const round: Market = {
  ...example,
  market_type: 'fast',
  title: 'BTC at or above 111451.32?',
  rendered_title: 'BTC at or above 111451.32?',
  params: { symbol: 'BTC', strike: '111451.32' },
  opens_at_ms: Date.UTC(2026, 5, 30, 15, 12),
  closes_at_ms: Date.UTC(2026, 5, 30, 15, 17),
};

describe('[SC5] a market', () => {
  const berlin = readerOf({ cookie: 'a=b; sibyl_reader=de/Europe/Berlin; c=d' });
  const stranger = readerOf({ 'accept-language': 'es-MX,es;q=0.9,en;q=0.8' });

  it('is named in its document, head and picture as on its page', () => {
    const title = 'Schließt BTC am 01.01.2027 über 110.000 USDT?';
    expect(earlyMarket(above, berlin)).toContain(title);
    expect(earlyList([above], '', berlin)).toContain(title);
    const head = marketHead(above, 'sandbox', 'https://sibyl.example', berlin);
    expect(head).toContain(`<title>${title} · Sibyl</title>`);
    expect(head).toContain(`<meta property="og:title" content="${title}">`);
    expect(head).toContain('content="Sandbox: Spielgeld. Ja 54¢. Schließt 01.01.2027, 01:00."');
    expect(head).toContain('/card.png?lang=de"');
    expect(marketWords(above, stranger).title).toBe(
      '¿Cerrará BTC por encima de 110.000 USDT el 1 ene 2027?',
    );
  });

  it('is named by its times if it is a round, with UTC where the zone is unknown', () => {
    expect(marketWords(round, berlin).title).toBe('BTC rauf oder runter, 17:12 bis 17:17');
    expect(marketWords(round, berlin).leading[0]?.label).toBe('Höher');
    expect(marketWords(round, stranger).title).toBe('BTC sube o baja, de 15:12 a 15:17 UTC');
    const own = { ...round, title: 'My own round' };
    expect(marketWords(own, berlin).title).toBe('My own round');
  });

  it('has separators in the number that its price implies', () => {
    const params = { lower: '-1000', upper: '5000.5', unit: 'USDT' };
    const scalar = { ...example, outcome_schema: 'scalar', params } as const;
    const pair = ['0.900000', '0.100000'].map((price, index) => ({
      ...example.outcomes[index]!,
      id: index === 0 ? 'long' : 'short',
      price,
    }));
    const [leading] = marketWords({ ...scalar, outcomes: pair }, berlin).leading;
    expect(leading).toEqual({ label: 'Erwartet', figure: '4.400 USDT' });
  });

  it.each([
    [{}, 'en', 'UTC'],
    [{ 'accept-language': 'fr, zh-TW;q=0.5, de;q=0.7' }, 'de', 'UTC'],
    [{ 'accept-language': 'de;q=0, es;q=nonsense, zh' }, 'zh', 'UTC'],
    [{ 'accept-language': ',;;q=,'.repeat(9) }, 'en', 'UTC'],
    [{ cookie: 'sibyl_reader=xx/Europe/Berlin', 'accept-language': 'es' }, 'es', 'Europe/Berlin'],
    [{ cookie: 'sibyl_reader=zh/Mars/Base' }, 'zh', 'UTC'],
    [{ cookie: 'sibyl_reader=zh/europe/BERLIN' }, 'zh', 'UTC'],
    [{ cookie: 'sibyl_reader=de/"><script>' }, 'en', 'UTC'],
    [{ cookie: 'my_sibyl_reader=de/UTC' }, 'en', 'UTC'],
  ])('is told to %j in %s and %s', (headers, locale, timeZone) => {
    const reader = readerOf(headers);
    expect([reader.locale, reader.zone.timeZone]).toEqual([locale, timeZone]);
  });

  it('is drawn in each language that the font has', async () => {
    const cards = open(async () => ({ ...above, market_id: ID }));
    harness = await openHarness({ cards });
    const at = async (search: string) =>
      (await harness?.call({ url: `/sandbox/m/${ID}/card.png${search}` }))?.rawPayload;
    const english = await at('');
    expect(await at('?lang=de')).not.toEqual(english);
    for (const search of ['?lang=zh', '?lang=en', '?lang=de&lang=es', '?lang=../x', '?lang[a]=1'])
      expect(await at(search)).toEqual(english);
  });
});
