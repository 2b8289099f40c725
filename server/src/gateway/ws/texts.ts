// What the socket says to people, in the languages there is a catalogue for.
import { type ErrorCode, errors } from '@sibyl/contract';

const locales = ['en', 'de', 'es', 'zh'] as const;
export type Locale = (typeof locales)[number];

/** The nearest catalogue; null for what is no language tag. */
export function localeOf(tag: string): Locale | null {
  let canonical: string | undefined;
  try {
    [canonical] = Intl.getCanonicalLocales(tag);
  } catch {
    return null;
  }
  const language = canonical?.split('-')[0];
  return locales.find((locale) => locale === language) ?? 'en';
}

/** Details fill the places in braces; a place without a detail stays empty. */
export function errorText(
  locale: Locale,
  code: ErrorCode,
  details: Readonly<Record<string, unknown>> = {},
): string {
  const pattern = locale === 'en' ? undefined : catalogues[locale].errors[code];
  return fill(pattern ?? errors[code].message, details);
}

export function restartText(locale: Locale): string {
  return locale === 'en' ? 'The service restarts.' : catalogues[locale].restart;
}

function fill(pattern: string, values: Readonly<Record<string, unknown>>): string {
  return pattern.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? '')).trim();
}

interface Catalogue {
  readonly restart: string;
  readonly errors: Readonly<Partial<Record<ErrorCode, string>>>;
}

const catalogues: Readonly<Record<Exclude<Locale, 'en'>, Catalogue>> = {
  de: {
    restart: 'Der Dienst startet neu.',
    errors: {
      BAD_REQUEST: 'Die Anfrage ist nicht lesbar.',
      MISSING_FIELD: 'Ein Pflichtfeld fehlt: {field}',
      VALIDATION_FAILED: 'Ein Feld hat einen ungültigen Wert: {field}',
      AUTH_REQUIRED: 'Dafür ist eine Anmeldung nötig.',
      AUTH_INVALID: 'Die Zugangsdaten sind nicht gültig.',
      TOKEN_INVALID: 'Das Token ist nicht gültig.',
      TOKEN_EXPIRED: 'Das Token ist abgelaufen.',
      TOKEN_REVOKED: 'Das Token wurde widerrufen.',
      WRONG_ENV_KEY: 'Der Schlüssel gehört zu einer anderen Umgebung.',
      SCOPE_MISSING: 'Den Zugangsdaten fehlt eine Berechtigung.',
      RATE_LIMITED: 'Zu viele Anfragen.',
      MARKET_NOT_FOUND: 'Diesen Markt gibt es nicht.',
      NOT_FOUND: 'Das gibt es nicht.',
      STATE_CONFLICT: 'Das ist im jetzigen Zustand nicht möglich.',
      MAINTENANCE: 'Der Dienst wird gerade gewartet.',
      SERVICE_UNAVAILABLE: 'Der Dienst ist gerade nicht verfügbar.',
      INTERNAL_ERROR: 'Ein unerwarteter Fehler ist aufgetreten.',
    },
  },
  es: {
    restart: 'El servicio se reinicia.',
    errors: {
      BAD_REQUEST: 'La solicitud no se puede leer.',
      MISSING_FIELD: 'Falta un campo obligatorio: {field}',
      VALIDATION_FAILED: 'Un campo tiene un valor no válido: {field}',
      AUTH_REQUIRED: 'Esta operación necesita una credencial.',
      AUTH_INVALID: 'La credencial no es válida.',
      TOKEN_INVALID: 'El token no es válido.',
      TOKEN_EXPIRED: 'El token ha caducado.',
      TOKEN_REVOKED: 'El token fue revocado.',
      WRONG_ENV_KEY: 'La clave pertenece a otro entorno.',
      SCOPE_MISSING: 'A la credencial le falta un permiso.',
      RATE_LIMITED: 'Demasiadas solicitudes.',
      MARKET_NOT_FOUND: 'Ese mercado no existe.',
      NOT_FOUND: 'Eso no existe.',
      STATE_CONFLICT: 'No es posible en el estado actual.',
      MAINTENANCE: 'El servicio está en mantenimiento.',
      SERVICE_UNAVAILABLE: 'El servicio no está disponible en este momento.',
      INTERNAL_ERROR: 'Se produjo un error inesperado.',
    },
  },
  zh: {
    restart: '服务正在重新启动。',
    errors: {
      BAD_REQUEST: '无法读取该请求。',
      MISSING_FIELD: '缺少必填字段：{field}',
      VALIDATION_FAILED: '字段的值无效：{field}',
      AUTH_REQUIRED: '此操作需要凭证。',
      AUTH_INVALID: '凭证无效。',
      TOKEN_INVALID: '令牌无效。',
      TOKEN_EXPIRED: '令牌已过期。',
      TOKEN_REVOKED: '令牌已被撤销。',
      WRONG_ENV_KEY: '该密钥属于另一个环境。',
      SCOPE_MISSING: '凭证缺少所需权限。',
      RATE_LIMITED: '请求过多。',
      MARKET_NOT_FOUND: '该市场不存在。',
      NOT_FOUND: '不存在。',
      STATE_CONFLICT: '当前状态下无法执行。',
      MAINTENANCE: '服务正在维护。',
      SERVICE_UNAVAILABLE: '服务暂时不可用。',
      INTERNAL_ERROR: '发生意外错误。',
    },
  },
};
