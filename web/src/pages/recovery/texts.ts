// Texts of the pages that links of letters lead to.
import type { Texts } from '../../texts/texts.ts';

export const recoveryTexts = {
  verifyTitle: {
    en: 'Verify your address',
    de: 'Adresse bestätigen',
    es: 'Verificar su dirección',
    zh: '验证邮箱',
  },
  verifyText: {
    en: 'This shows that the address you registered with is yours.',
    de: 'Damit zeigen Sie, dass die Adresse, mit der Sie registriert sind, Ihre ist.',
    es: 'Así muestra que la dirección con la que se registró es suya.',
    zh: '以此证明您注册所用的邮箱属于您本人。',
  },
  verify: { en: 'Yes, it is mine', de: 'Ja, es ist meine', es: 'Sí, es mía', zh: '是我的' },
  verified: {
    en: 'The address is verified.',
    de: 'Die Adresse ist bestätigt.',
    es: 'La dirección está verificada.',
    zh: '邮箱已验证。',
  },
  toAccount: { en: 'Your account', de: 'Ihr Konto', es: 'Su cuenta', zh: '您的账户' },
  linkOver: {
    en: 'This link is not known, was used before, or is over. Ask for a new one.',
    de: 'Dieser Link ist unbekannt, wurde schon verwendet oder ist abgelaufen. Fordern Sie einen neuen an.',
    es: 'Este enlace no se conoce, ya se usó o ha caducado. Pida otro.',
    zh: '此链接无效、已被使用或已过期。请重新申请。',
  },
  forgotTitle: {
    en: 'Forgotten password',
    de: 'Passwort vergessen',
    es: 'Contraseña olvidada',
    zh: '忘记密码',
  },
  forgotText: {
    en: 'We mail you a link with which you set a new one. It works once and for an hour.',
    de: 'Wir schicken Ihnen einen Link, mit dem Sie ein neues setzen. Er gilt einmal und eine Stunde lang.',
    es: 'Le enviamos un enlace para fijar una nueva. Sirve una vez y durante una hora.',
    zh: '我们会向您发送一个链接，用于设置新密码。链接一小时内有效，仅可使用一次。',
  },
  email: { en: 'Email', de: 'E-Mail', es: 'Correo', zh: '邮箱' },
  send: { en: 'Send the link', de: 'Link schicken', es: 'Enviar el enlace', zh: '发送链接' },
  sent: {
    en: 'If somebody has registered with this address, a link is on its way there.',
    de: 'Falls jemand mit dieser Adresse registriert ist, ist ein Link dorthin unterwegs.',
    es: 'Si alguien se ha registrado con esta dirección, hay un enlace en camino.',
    zh: '如果该邮箱已注册，链接已发往该邮箱。',
  },
  noMail: {
    en: 'This exchange does not send email. The operator can give you a link to set a new password.',
    de: 'Diese Börse verschickt keine E-Mails. Der Betreiber kann Ihnen einen Link für ein neues Passwort geben.',
    es: 'Esta bolsa no envía correo. El operador puede darle un enlace para fijar una nueva contraseña.',
    zh: '本交易所不发送邮件。运营方可以为您提供设置新密码的链接。',
  },
  resetTitle: { en: 'New password', de: 'Neues Passwort', es: 'Nueva contraseña', zh: '新密码' },
  resetText: {
    en: 'This ends every session and revokes every API key of yours; withdrawals wait for a day.',
    de: 'Das beendet alle Ihre Sitzungen und widerruft alle API-Schlüssel; Auszahlungen warten einen Tag.',
    es: 'Esto cierra todas sus sesiones y revoca sus claves API; los retiros esperan un día.',
    zh: '这将结束您的所有会话并撤销所有 API 密钥；提款将暂停一天。',
  },
  newPassword: { en: 'New password', de: 'Neues Passwort', es: 'Nueva contraseña', zh: '新密码' },
  passwordHint: {
    en: 'At least 10 characters that are not easily guessed.',
    de: 'Mindestens 10 Zeichen, die sich nicht leicht erraten lassen.',
    es: 'Al menos 10 caracteres difíciles de adivinar.',
    zh: '至少 10 个不易猜到的字符。',
  },
  secondFactor: {
    en: 'You have a second factor: give it as well.',
    de: 'Sie haben einen zweiten Faktor: Geben Sie ihn ebenfalls an.',
    es: 'Tiene un segundo factor: indíquelo también.',
    zh: '您已启用第二因素：请一并提供。',
  },
  usePasskey: {
    en: 'Use a passkey',
    de: 'Passkey verwenden',
    es: 'Usar una clave de acceso',
    zh: '使用通行密钥',
  },
  set: { en: 'Set it', de: 'Setzen', es: 'Fijarla', zh: '设置' },
  done: {
    en: 'The new password holds. Sign in with it.',
    de: 'Das neue Passwort gilt. Melden Sie sich damit an.',
    es: 'La nueva contraseña ya vale. Entre con ella.',
    zh: '新密码已生效。请用它登录。',
  },
  signIn: { en: 'Sign in', de: 'Anmelden', es: 'Entrar', zh: '登录' },
} satisfies Texts<string>;
