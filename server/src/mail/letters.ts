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

/** To whom operators took every second factor; the time is when withdrawals go on. */
const factorsRemoved: Readonly<Record<Locale, (heldUntil: string) => Written>> = {
  en: (heldUntil) => ({
    subject: 'Your second factors at Sibyl were removed',
    text: `The operators of Sibyl were told that you have lost your second factors, and have removed all of them with the recovery codes. You were logged out everywhere, and log in by your password alone until you set up a second factor again.\n\nWithdrawals wait until ${heldUntil}.\n\nIf it was not you who asked for this, set a new password and write to the operators at once.\n`,
  }),
  de: (heldUntil) => ({
    subject: 'Ihre zweiten Faktoren bei Sibyl wurden entfernt',
    text: `Den Betreibern von Sibyl wurde gesagt, dass Sie Ihre zweiten Faktoren verloren haben; sie haben alle samt den Wiederherstellungscodes entfernt. Sie wurden überall abgemeldet und melden sich mit dem Passwort allein an, bis Sie wieder einen zweiten Faktor einrichten.\n\nAuszahlungen warten bis ${heldUntil}.\n\nWenn nicht Sie darum gebeten haben, setzen Sie sofort ein neues Passwort und schreiben Sie den Betreibern.\n`,
  }),
  es: (heldUntil) => ({
    subject: 'Sus segundos factores en Sibyl se han eliminado',
    text: `Los operadores de Sibyl han sabido que usted ha perdido sus segundos factores y los han eliminado todos, con los códigos de recuperación. Se han cerrado todas sus sesiones; hasta que configure otro segundo factor, entrará solo con su contraseña.\n\nLos retiros esperan hasta ${heldUntil}.\n\nSi no lo ha pedido usted, cambie la contraseña y escriba a los operadores de inmediato.\n`,
  }),
  zh: (heldUntil) => ({
    subject: '您在 Sibyl 的第二验证因素已被移除',
    text: `Sibyl 的运营人员获悉您丢失了第二验证因素，已将其全部移除，恢复代码也一并移除。您已在所有设备上退出登录；在重新设置第二验证因素之前，仅凭密码即可登录。\n\n提款将等到 ${heldUntil}。\n\n如果这不是您本人要求的，请立即更改密码并联系运营人员。\n`,
  }),
};

export function factorsRemovedLetter(locale: Locale, heldUntil: string): Written {
  return factorsRemoved[locale](heldUntil);
}

/** To whoever owns an account that is guessed at. */
const guessed: Readonly<Record<Locale, Written>> = {
  en: {
    subject: 'Many wrong passwords for your Sibyl account',
    text: 'Within an hour, 100 sign-ins to your account failed because of a wrong password. None of them got in by these attempts.\n\nSign-ins from new networks are slowed down now: if yours is refused, try again a second later. With a second factor, the code lets you in at once. Set one up on your account page if you have none, and use a password that you use nowhere else.\n',
  },
  de: {
    subject: 'Viele falsche Passwörter für Ihr Konto bei Sibyl',
    text: 'Innerhalb einer Stunde sind 100 Anmeldungen an Ihrem Konto an einem falschen Passwort gescheitert. Durch diese Versuche ist niemand hineingekommen.\n\nAnmeldungen aus neuen Netzen sind jetzt verlangsamt: Wird Ihre abgelehnt, versuchen Sie es eine Sekunde später noch einmal. Mit einem zweiten Faktor lässt Sie der Code sofort hinein. Richten Sie auf Ihrer Kontoseite einen ein, wenn Sie keinen haben, und verwenden Sie ein Passwort, das Sie sonst nirgends verwenden.\n',
  },
  es: {
    subject: 'Muchas contraseñas incorrectas en su cuenta de Sibyl',
    text: 'En una hora han fallado 100 inicios de sesión en su cuenta por una contraseña incorrecta. Con esos intentos no ha entrado nadie.\n\nLos inicios de sesión desde redes nuevas van ahora más despacio: si el suyo se rechaza, inténtelo un segundo después. Con un segundo factor, el código le deja entrar de inmediato. Configure uno en la página de su cuenta si no tiene ninguno y use una contraseña que no use en otro sitio.\n',
  },
  zh: {
    subject: '您的 Sibyl 账户出现大量错误密码',
    text: '一小时内，您的账户有 100 次登录因密码错误而失败。这些尝试均未成功登录。\n\n来自新网络的登录现已减速：如果您的登录被拒绝，请一秒后重试。如果设有第二验证因素，输入验证码即可立即登录。若尚未设置，请在账户页面设置，并使用未在其他地方使用过的密码。\n',
  },
};

export function guessedLetter(locale: Locale): Written {
  return guessed[locale];
}
