// Every catalogue says everything that the others say, with the same values, in messages that can be read.
import { errorCodes, errors } from '@sibyl/contract';
import { locales } from '@sibyl/contract/locales';
import { catalogues } from '@sibyl/contract/texts';
import { IntlMessageFormat } from 'intl-messageformat';
import { describe, expect, test } from 'vitest';
import { argumentsOf } from './arguments.ts';
import { localeOf } from './locale.ts';
import { errorText, noticeText } from './texts.ts';

const inForce = errorCodes.filter((code) => errors[code].since !== 'later').sort();
const notices = Object.keys(catalogues.en.notices).sort();

function readArguments(locale: string, message: string): readonly string[] {
  const format = new IntlMessageFormat(message, locale, undefined, { ignoreTag: true });
  return [...argumentsOf(format.getAst())].map(([name, kind]) => `${name}: ${kind}`).sort();
}

/** The cases of every select; languages differ in their plural forms alone. */
function selections(locale: string, message: string): readonly string[] {
  const format = new IntlMessageFormat(message, locale, undefined, { ignoreTag: true });
  const found: string[] = [];
  const visit = (ast: ReturnType<typeof format.getAst>): void => {
    for (const element of ast) {
      if (!('options' in element)) continue;
      for (const [name, option] of Object.entries(element.options)) {
        if (!('offset' in element)) found.push(`${element.value}: ${name}`);
        visit(option.value);
      }
    }
  };
  visit(format.getAst());
  // A plural within a case is written once for each of its forms.
  return [...new Set(found)].sort();
}

describe.each(locales)('[IF3a] the catalogue of %s', (locale) => {
  const { errors: texts, notices: said } = catalogues[locale];

  test('has every error in force and every notice, and nothing else', () => {
    expect(Object.keys(texts).sort()).toEqual(inForce);
    expect(Object.keys(said).sort()).toEqual(notices);
  });

  test('asks for the same values as English, and knows the same cases', () => {
    for (const code of inForce) {
      const english = catalogues.en.errors[code] ?? '';
      const own = texts[code] ?? '';
      expect(readArguments(locale, own), code).toEqual(readArguments('en', english));
      expect(selections(locale, own), code).toEqual(selections('en', english));
    }
    for (const notice of Object.keys(said) as (keyof typeof said)[]) {
      const english = catalogues.en.notices[notice];
      expect(readArguments(locale, said[notice]), notice).toEqual(readArguments('en', english));
      expect(selections(locale, said[notice]), notice).toEqual(selections('en', english));
    }
  });

  test('leaves nothing unsaid where a value is missing', () => {
    for (const code of inForce) expect(errorText(locale, code), code).toMatch(/\p{L}/u);
    for (const notice of Object.keys(said) as (keyof typeof said)[]) {
      expect(noticeText(locale, notice, {}), notice).toMatch(/\p{L}/u);
    }
  });

  if (locale !== 'en') {
    test('does not speak English', () => {
      for (const code of inForce) expect(errorText(locale, code)).not.toBe(errorText('en', code));
    });
  }
});

describe('[IF3a] texts', () => {
  test('count and write numbers as the language does', () => {
    const dropped = (count: number) => ({ frames_dropped: count, retry_after_ms: 1_234 });
    expect(noticeText('en', 'throttled', dropped(1))).toBe(
      'Too many frames: 1 was dropped. Wait 1,234 ms.',
    );
    expect(noticeText('en', 'throttled', dropped(2))).toContain('2 were dropped');
    expect(noticeText('de', 'throttled', dropped(1))).toBe(
      'Zu viele Frames: 1 wurde verworfen. Bitte 1.234 ms warten.',
    );
    expect(noticeText('es', 'throttled', dropped(2))).toContain('se descartaron 2');
    expect(noticeText('zh', 'throttled', dropped(2))).toContain('已丢弃 2 个');
  });

  test('treat what clients sent as text, whatever it holds', () => {
    const field = "{field} '{' <b> {0, plural, other {#}}";
    expect(errorText('de', 'MISSING_FIELD', { field })).toBe(`Ein Pflichtfeld fehlt: ${field}`);
  });

  test('a code that nothing sends yet speaks English', () => {
    expect(errorText('de', 'RFQ_NOT_OPEN')).toBe(errors.RFQ_NOT_OPEN.message);
  });
});

describe('[IF3a] language tags', () => {
  test.each([
    ['de-AT', 'de'],
    ['zh-Hant-TW', 'zh'],
    ['ES-419', 'es'],
    ['en-GB-u-ca-buddhist', 'en'],
    ['gsw', 'de'],
    ['ca', 'es'],
    ['fr', 'en'],
    ['not a tag', null],
    ['', null],
    ['x'.repeat(300), null],
  ])('%s is nearest to %s', (tag, locale) => {
    expect(localeOf(tag)).toBe(locale);
  });
});
