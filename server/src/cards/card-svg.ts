// The drawing of a market's card: title, what the market thinks, when it closes, and where it is.
import type { MarketWords } from './market-words.ts';
import { escapeMarkup } from './plain-line.ts';

export const CARD_WIDTH = 1200;
export const CARD_HEIGHT = 630;
export const CARD_FONT = 'DejaVu Sans';

const MARGIN = 80;
const ROOM = CARD_WIDTH - 2 * MARGIN;
const TITLE_SIZE = 52;
const TITLE_LINES_MAX = 4;
const LINE_HEIGHT = 66;
const TITLE_TOP = 150;

const INK = '#f5f7fa';
const PALE = '#9fb0c3';
const GROUND = '#0f1720';
const ACCENT = '#4cc38a';
const WARNING = '#f0b429';

/** How wide characters of the bold font are, at most, in parts of its size. */
const WIDE =
  /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\ufe30-\uffef\u{10000}-\u{3ffff}]/u;
const BROAD = /[MWmw@%—]/;
const NARROW = /[iljIt.,:;!'|() ]/;

export function cardSvg(words: MarketWords, lane: 'live' | 'sandbox'): string {
  const lines = wrapped(words.title, TITLE_SIZE, ROOM, TITLE_LINES_MAX);
  const title = lines.map((line, index) =>
    textAt(MARGIN, TITLE_TOP + index * LINE_HEIGHT, TITLE_SIZE, INK, line, 'bold'),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${CARD_WIDTH}" height="${CARD_HEIGHT}" viewBox="0 0 ${CARD_WIDTH} ${CARD_HEIGHT}" font-family="${CARD_FONT}">
<rect width="${CARD_WIDTH}" height="${CARD_HEIGHT}" fill="${GROUND}"/>
<rect width="${CARD_WIDTH}" height="10" fill="${lane === 'sandbox' ? WARNING : ACCENT}"/>
${textAt(MARGIN, 76, 28, PALE, 'Sibyl', 'bold')}
${lane === 'sandbox' ? badge() : ''}
${title.join('\n')}
${figures(words.leading)}
${textAt(MARGIN, CARD_HEIGHT - 48, 28, PALE, words.closing)}
</svg>`;
}

function badge(): string {
  const width = 220;
  const left = CARD_WIDTH - MARGIN - width;
  return `<rect x="${left}" y="40" width="${width}" height="48" rx="8" fill="${WARNING}"/>
${textAt(left + 28, 75, 30, GROUND, 'SANDBOX', 'bold')}`;
}

/** One is drawn large, several side by side. */
function figures(leading: MarketWords['leading']): string {
  const column = ROOM / Math.max(1, leading.length);
  const size = leading.length > 1 ? 64 : 88;
  const drawn = leading.map(({ label, figure }, index) => {
    const left = MARGIN + index * column;
    const [name = ''] = wrapped(label, 28, column - 24, 1);
    const [value = ''] = wrapped(figure, size, column - 24, 1);
    return `${textAt(left, 520, size, ACCENT, value, 'bold')}\n${textAt(left, 436, 28, PALE, name)}`;
  });
  return drawn.join('\n');
}

function textAt(
  x: number,
  y: number,
  size: number,
  fill: string,
  text: string,
  weight: 'normal' | 'bold' = 'normal',
): string {
  return `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" fill="${fill}">${escapeMarkup(text)}</text>`;
}

/** Broken between words where that is possible, and cut with an ellipsis where it does not fit. */
function wrapped(text: string, size: number, room: number, linesMax: number): string[] {
  const lines: string[] = [];
  let rest = [...text];
  while (rest.length > 0 && lines.length < linesMax) {
    const fitting = fittingCount(rest, size, room);
    const isLast = lines.length === linesMax - 1;
    if (fitting === rest.length) {
      lines.push(rest.join(''));
      break;
    }
    if (isLast) {
      const cut = rest.slice(0, fittingCount(rest, size, room - size)).join('');
      lines.push(`${cut.trimEnd()}…`);
      break;
    }
    const space = rest.lastIndexOf(' ', fitting);
    const end = space > 0 ? space : Math.max(1, fitting);
    lines.push(rest.slice(0, end).join(''));
    rest = rest.slice(rest[end] === ' ' ? end + 1 : end);
  }
  return lines;
}

function fittingCount(characters: readonly string[], size: number, room: number): number {
  let width = 0;
  let count = 0;
  for (const character of characters) {
    width += widthOf(character) * size;
    if (width > room) break;
    count += 1;
  }
  return count;
}

function widthOf(character: string): number {
  if (WIDE.test(character)) return 1.05;
  if (BROAD.test(character)) return 1.1;
  if (NARROW.test(character)) return 0.46;
  return character === character.toLowerCase() ? 0.72 : 0.84;
}
