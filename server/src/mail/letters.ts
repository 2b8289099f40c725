// What the letters say, in every language.
import { limits } from '@sibyl/contract';
import type { Locale } from '@sibyl/contract/locales';
import type { LinkKind } from '../ports/links.ts';

export interface Written {
  readonly subject: string;
  readonly text: string;
}

const HOURS = limits.mail.verificationMs / 3_600_000;
const MINUTES = limits.mail.resetMs / 60_000;

/** The link stands on a line of its own, so that every reader of mail makes one of it. */
const letters: Readonly<Record<LinkKind, Readonly<Record<Locale, (url: string) => Written>>>> = {
  verify_email: {
    en: (url) => ({
      subject: 'Is this your address?',
      text: `Somebody has registered at Sibyl with this address. If it was you, open this link within ${HOURS} hours:\n\n${url}\n\nIf it was not, there is nothing to do.\n`,
    }),
    de: (url) => ({
      subject: 'Ist das Ihre Adresse?',
      text: `Jemand hat sich bei Sibyl mit dieser Adresse registriert. Wenn Sie es waren, öffnen Sie innerhalb von ${HOURS} Stunden diesen Link:\n\n${url}\n\nWenn nicht, ist nichts zu tun.\n`,
    }),
    es: (url) => ({
      subject: '¿Es esta su dirección?',
      text: `Alguien se ha registrado en Sibyl con esta dirección. Si ha sido usted, abra este enlace en las próximas ${HOURS} horas:\n\n${url}\n\nSi no, no tiene que hacer nada.\n`,
    }),
    zh: (url) => ({
      subject: '这是您的邮箱地址吗？',
      text: `有人用此地址在 Sibyl 注册。如果是您本人，请在 ${HOURS} 小时内打开以下链接：\n\n${url}\n\n如果不是，则无需任何操作。\n`,
    }),
  },
  reset_password: {
    en: (url) => ({
      subject: 'A new password for Sibyl',
      text: `Somebody has asked for a new password for your account. If it was you, open this link within ${MINUTES} minutes; it works once:\n\n${url}\n\nIf it was not, there is nothing to do: your password stays as it is.\n`,
    }),
    de: (url) => ({
      subject: 'Ein neues Passwort für Sibyl',
      text: `Jemand hat für Ihr Konto ein neues Passwort verlangt. Wenn Sie es waren, öffnen Sie innerhalb von ${MINUTES} Minuten diesen Link; er gilt einmal:\n\n${url}\n\nWenn nicht, ist nichts zu tun: Ihr Passwort bleibt, wie es ist.\n`,
    }),
    es: (url) => ({
      subject: 'Una contraseña nueva para Sibyl',
      text: `Alguien ha pedido una contraseña nueva para su cuenta. Si ha sido usted, abra este enlace en los próximos ${MINUTES} minutos; sirve una sola vez:\n\n${url}\n\nSi no, no tiene que hacer nada: su contraseña sigue igual.\n`,
    }),
    zh: (url) => ({
      subject: 'Sibyl 的新密码',
      text: `有人为您的账户请求新密码。如果是您本人，请在 ${MINUTES} 分钟内打开以下链接（只能使用一次）：\n\n${url}\n\n如果不是，则无需任何操作：您的密码保持不变。\n`,
    }),
  },
};

export function letterOf(kind: LinkKind, locale: Locale, url: string): Written {
  return letters[kind][locale](url);
}
