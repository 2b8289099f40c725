// Texts of the parts by which an authenticator is set up, of users and of operators.
import type { Texts } from '../texts/texts.ts';

export const factorTexts = {
  scan: {
    en: 'Scan this with your authenticator, or type the key, and enter the code that it shows.',
    de: 'Scannen Sie das mit Ihrer Authenticator-App oder tippen Sie den Schlüssel ab, und geben Sie den angezeigten Code ein.',
    es: 'Escanee esto con su autenticador, o escriba la clave, e introduzca el código que muestra.',
    zh: '用验证器扫描，或手动输入密钥，然后填写显示的验证码。',
  },
  picture: { en: 'QR code', de: 'QR-Code', es: 'Código QR', zh: '二维码' },
  key: { en: 'Key', de: 'Schlüssel', es: 'Clave', zh: '密钥' },
  sixDigits: { en: 'Six digits', de: 'Sechs Ziffern', es: 'Seis dígitos', zh: '六位数字' },
  confirm: { en: 'Confirm', de: 'Bestätigen', es: 'Confirmar', zh: '确认' },
  recovery: {
    en: 'Recovery codes',
    de: 'Wiederherstellungscodes',
    es: 'Códigos de recuperación',
    zh: '恢复码',
  },
  recoveryText: {
    en: 'Store these now: they are not shown again. Each opens your account once if your other factors are lost.',
    de: 'Bewahren Sie diese jetzt auf: Sie werden nicht noch einmal gezeigt. Jeder öffnet Ihr Konto einmal, wenn die anderen Faktoren verloren sind.',
    es: 'Guárdelos ahora: no se muestran otra vez. Cada uno abre su cuenta una vez si pierde sus otros factores.',
    zh: '请立即保存：不会再次显示。丢失其他验证方式时，每个恢复码可登录一次。',
  },
  stored: {
    en: 'I have stored them',
    de: 'Ich habe sie aufbewahrt',
    es: 'Los he guardado',
    zh: '我已保存',
  },
} satisfies Texts<string>;
