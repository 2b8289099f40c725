// What an error says to people in their language.
import {
  BalanceInsufficientError,
  SibylConnectionError,
  SibylError,
  SibylTimeoutError,
} from '@sibyl/sdk';
import { exactMoney } from '../format/amounts.ts';
import { catalogueMessage } from './catalogues.ts';
import { type Locale, type Texts, type TextValues, translate } from './texts.ts';

const texts = {
  noAnswer: {
    en: 'The exchange does not answer. Nothing was lost: this page tries again by itself.',
    de: 'Die Börse antwortet nicht. Nichts ging verloren: Diese Seite versucht es von selbst erneut.',
    es: 'La bolsa no responde. No se perdió nada: esta página lo intenta de nuevo sola.',
    zh: '交易所没有响应。没有任何丢失:本页会自动重试。',
  },
  ours: {
    en: 'Something went wrong in this page. Reload it.',
    de: 'In dieser Seite ist etwas schiefgegangen. Laden Sie sie neu.',
    es: 'Algo falló en esta página. Vuelva a cargarla.',
    zh: '本页出错了,请重新加载。',
  },
  tooLittle: {
    en: 'The balance is too small: this takes {required}, and {free} are free.',
    de: 'Das Guthaben reicht nicht aus: Dafür braucht es {required}, frei sind {free}.',
    es: 'El saldo es insuficiente: hacen falta {required} y hay {free} libres.',
    zh: '余额不足:需要 {required},可用 {free}。',
  },
} satisfies Texts<string>;

/** Whether nobody can tell if what was asked has happened. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof SibylConnectionError || error instanceof SibylTimeoutError;
}

/** Whether a part of the page itself could not be loaded; browsers tell so in words only, each in its own. */
export function isLoadFault(error: unknown): boolean {
  return (
    error instanceof TypeError && /dynamically imported module|module script/.test(error.message)
  );
}

export function errorSentence(locale: Locale, error: unknown): string {
  if (isUnanswered(error) || isLoadFault(error)) return translate(locale, texts.noAnswer);
  if (!(error instanceof SibylError)) return translate(locale, texts.ours);
  // The exchange names the money of the market; a demo account pays in its own.
  if (error instanceof BalanceInsufficientError && error.details.outcome_id === undefined) {
    const { required, free } = error.details;
    return translate(locale, texts.tooLittle, {
      required: exactMoney(locale, String(required)),
      free: exactMoney(locale, String(free)),
    });
  }
  // In English the exchange itself says the most.
  if (locale === 'en') return error.message;
  return inLanguage(locale, error) ?? error.message;
}

/** The catalogue's sentence; null if it has none, or asks for a value that did not come. */
function inLanguage(locale: Locale, error: SibylError): string | null {
  const message = catalogueMessage(locale, error.code);
  if (message === undefined) return null;
  try {
    const words = { en: message, de: message, es: message, zh: message };
    return translate(locale, words, plainValues(error.details));
  } catch {
    return null;
  }
}

function plainValues(details: Readonly<Record<string, unknown>>): TextValues {
  return Object.fromEntries(
    Object.entries(details).filter(
      (entry): entry is [string, string | number] =>
        typeof entry[1] === 'string' || typeof entry[1] === 'number',
    ),
  );
}
