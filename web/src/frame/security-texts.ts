// Texts of what proves who is at the page.
import type { Texts } from '../texts/texts.ts';

export const securityTexts = {
  stepUp: {
    en: 'Is it you?',
    de: 'Sind Sie es?',
    es: '¿Es usted?',
    zh: '请确认是您本人',
  },
  stepUpText: {
    en: 'This needs a fresh proof. It counts for five minutes.',
    de: 'Das verlangt einen frischen Nachweis. Er gilt fünf Minuten.',
    es: 'Esto requiere una prueba reciente. Vale cinco minutos.',
    zh: '此操作需要重新验证，有效期五分钟。',
  },
  password: { en: 'Password', de: 'Passwort', es: 'Contraseña', zh: '密码' },
  code: { en: 'Code', de: 'Code', es: 'Código', zh: '验证码' },
  codeHint: {
    en: 'Six digits of your authenticator, or a recovery code. If you have lost all of it, ask the operators of the exchange.',
    de: 'Sechs Ziffern Ihrer Authenticator-App oder ein Wiederherstellungscode. Wenn Sie alles verloren haben, fragen Sie die Betreiber der Börse.',
    es: 'Seis dígitos de su autenticador o un código de recuperación. Si lo ha perdido todo, pregunte a los operadores de la bolsa.',
    zh: '验证器的六位数字，或一个恢复码。如果全部丢失，请联系交易所运营方。',
  },
  forgot: {
    en: 'Forgot your password?',
    de: 'Passwort vergessen?',
    es: '¿Olvidó su contraseña?',
    zh: '忘记密码？',
  },
  goOn: { en: 'Go on', de: 'Weiter', es: 'Continuar', zh: '继续' },
  usePasskey: {
    en: 'Use a passkey',
    de: 'Passkey verwenden',
    es: 'Usar una clave de acceso',
    zh: '使用通行密钥',
  },
} satisfies Texts<string>;
