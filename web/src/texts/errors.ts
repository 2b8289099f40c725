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
    zh: '交易所没有响应。没有任何丢失：本页会自动重试。',
  },
  ours: {
    en: 'Something went wrong in this page. Reload it.',
    de: 'In dieser Seite ist etwas schiefgegangen. Laden Sie sie neu.',
    es: 'Algo falló en esta página. Vuelva a cargarla.',
    zh: '本页出错了，请重新加载。',
  },
  tooLittle: {
    en: 'The balance is too small: this takes {required}, and {free} are free.',
    de: 'Das Guthaben reicht nicht aus: Dafür braucht es {required}, frei sind {free}.',
    es: 'El saldo es insuficiente: hacen falta {required} y hay {free} libres.',
    zh: '余额不足：需要 {required},可用 {free}。',
  },
  weak_length: {
    en: 'The password must have at least {length_min} characters.',
    de: 'Das Passwort braucht mindestens {length_min} Zeichen.',
    es: 'La contraseña debe tener al menos {length_min} caracteres.',
    zh: '密码至少需要 {length_min} 个字符。',
  },
  weak_personal: {
    en: 'The password is too weak: it leans on your address of mail or your name.',
    de: 'Das Passwort ist zu schwach: Es lehnt sich an Ihre E-Mail-Adresse oder Ihren Namen an.',
    es: 'La contraseña es demasiado débil: se apoya en su correo o su nombre.',
    zh: '密码过于简单：其中含有您的邮箱或姓名。',
  },
  weak_common: {
    en: 'The password is too weak: many people use it, or one close to it.',
    de: 'Das Passwort ist zu schwach: Viele verwenden es oder ein ähnliches.',
    es: 'La contraseña es demasiado débil: mucha gente usa esta o una parecida.',
    zh: '密码过于简单：很多人使用它或类似的密码。',
  },
  weak_guessable: {
    en: 'The password is too weak: it is easy to guess. Take a few words that do not belong together.',
    de: 'Das Passwort ist zu schwach: Es ist leicht zu erraten. Nehmen Sie ein paar Wörter, die nicht zusammengehören.',
    es: 'La contraseña es demasiado débil: es fácil de adivinar. Use unas palabras que no vayan juntas.',
    zh: '密码过于简单，容易被猜到。请使用几个不相关的词。',
  },
  codeForm: {
    en: 'This is no code: an authenticator shows six digits, and a recovery code is written with hyphens.',
    de: 'Das ist kein Code: Ein Authenticator zeigt sechs Ziffern, ein Wiederherstellungscode hat Bindestriche.',
    es: 'Esto no es un código: el autenticador muestra seis cifras y un código de recuperación lleva guiones.',
    zh: '这不是有效的代码：验证器显示六位数字，恢复码带有连字符。',
  },
  codeWrong: {
    en: 'The code does not fit. Take the one that your authenticator shows now, and look whether its clock is right.',
    de: 'Der Code passt nicht. Nehmen Sie den, den Ihr Authenticator jetzt zeigt, und sehen Sie nach, ob dessen Uhr stimmt.',
    es: 'El código no coincide. Use el que muestra ahora su autenticador y compruebe si su reloj va bien.',
    zh: '代码不匹配。请使用验证器当前显示的代码，并检查其时钟是否准确。',
  },
  passkeyPlace: {
    en: 'Browsers keep passkeys for a name, and this page was opened by another one or by a number. Open it by the name of the exchange; on this machine that is localhost.',
    de: 'Browser bewahren Passkeys für einen Namen auf, und diese Seite wurde unter einem anderen oder unter einer Nummer geöffnet. Öffnen Sie sie unter dem Namen der Börse; auf diesem Rechner ist das localhost.',
    es: 'Los navegadores guardan las llaves de acceso para un nombre, y esta página se abrió con otro o con un número. Ábrala con el nombre de la bolsa; en este equipo es localhost.',
    zh: '浏览器按名称保存通行密钥，而本页是用其他名称或数字地址打开的。请用交易所的名称打开；在本机上是 localhost。',
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

/** Whether the browser refuses passkeys at the address of this page; it does so before anybody is asked. */
function isPasskeyPlace(error: unknown): boolean {
  return error instanceof Error && error.name === 'SecurityError';
}

export function errorSentence(locale: Locale, error: unknown): string {
  if (isUnanswered(error) || isLoadFault(error)) return translate(locale, texts.noAnswer);
  if (isPasskeyPlace(error)) return translate(locale, texts.passkeyPlace);
  if (!(error instanceof SibylError)) return translate(locale, texts.ours);
  // The exchange names the money of the market; a demo account pays in its own.
  if (error instanceof BalanceInsufficientError && error.details.outcome_id === undefined) {
    const { required, free } = error.details;
    return translate(locale, texts.tooLittle, {
      required: exactMoney(locale, String(required)),
      free: exactMoney(locale, String(free)),
    });
  }
  const own = ownSentence(locale, error);
  if (own !== null) return own;
  // In English the exchange itself says the most.
  if (locale === 'en') return saidBy(error);
  return inLanguage(locale, error) ?? saidBy(error);
}

/** What the exchange said, for people: the code before it is for programs. */
function saidBy({ code, message }: SibylError): string {
  const prefix = `${code}: `;
  return message.startsWith(prefix) ? message.slice(prefix.length) : message;
}

/** Where the exchange names fields or reasons in words for programs, the page has sentences of its own. */
function ownSentence(locale: Locale, { code, details }: SibylError): string | null {
  const { reason, field, expected } = details;
  if (code === 'PASSWORD_TOO_WEAK') {
    const found = WEAK.find((each) => each === reason);
    return found === undefined
      ? null
      : translate(locale, texts[`weak_${found}`], plainValues(details));
  }
  const isCode = code === 'VALIDATION_FAILED' && (field === 'otp' || field === 'recovery_code');
  if (!isCode) return null;
  // What has the form of a code is told in words that it is another one; the form itself is told as a pattern.
  const isOfForm = typeof expected === 'string' && !expected.startsWith('^');
  return translate(locale, isOfForm ? texts.codeWrong : texts.codeForm);
}

const WEAK = ['length', 'personal', 'common', 'guessable'] as const;

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
