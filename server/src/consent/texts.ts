// What the consent page says, in every language.
import { type Scope, scopes } from '@sibyl/contract';
import type { Locale } from '@sibyl/contract/locales';

type Fault = 'client' | 'redirect_uri' | 'repeated' | 'stale' | 'unapproved';

export interface ConsentTexts {
  readonly signInTitle: string;
  readonly signInText: (app: string) => string;
  /** In the place of a name that nobody has looked at. */
  readonly unreviewedApp: string;
  readonly email: string;
  readonly password: string;
  readonly code: string;
  readonly codeHint: string;
  /** For a user who is signed in, before a lasting consent. */
  readonly confirm: string;
  readonly signIn: string;
  readonly passkeyHint: string;
  readonly toRegister: string;
  readonly registerTitle: string;
  readonly registerText: (app: string) => string;
  readonly passwordHint: string;
  readonly register: string;
  readonly toSignIn: string;
  readonly title: (app: string) => string;
  readonly verified: (name: string) => string;
  readonly unverified: string;
  readonly signedInAs: (who: string) => string;
  readonly notYou: string;
  readonly wants: string;
  readonly scopes: Readonly<Record<Scope, string>>;
  readonly account: string;
  readonly wholeAccount: string;
  readonly onlySubaccount: (label: string) => string;
  readonly lane: Readonly<Record<'live' | 'sandbox', string>>;
  readonly fee: (now: string, most: string) => string;
  readonly already: string;
  readonly dailyCap: string;
  readonly dailyCapHint: string;
  readonly dailyCapWrong: string;
  readonly lasts: Readonly<Record<'offline' | 'present', string>>;
  readonly never: string;
  readonly neverList: readonly string[];
  readonly approve: string;
  readonly deny: string;
  readonly goesTo: (host: string) => string;
  readonly revokeLater: string;
  readonly revokeWhere: string;
  readonly ownerOnly: string;
  readonly mistake: string;
  readonly faultTitle: string;
  readonly home: string;
  readonly faults: Readonly<Record<Fault, string>>;
}

const en: ConsentTexts = {
  signInTitle: 'Sign in to continue',
  unreviewedApp: 'An app that has not been reviewed',
  signInText: (app) =>
    `${app} wants to connect to your Sibyl account. Sign in to see what it asks for.`,
  email: 'Email',
  password: 'Password',
  code: 'Code',
  codeHint: 'From your authenticator, or a recovery code. Leave it empty if you use none.',
  confirm: 'Sign in once more: this app asks for access while you are away.',
  signIn: 'Sign in',
  passkeyHint: 'Do you use a passkey? Sign in on the main page first, then come back to this one.',
  toRegister: 'I am new here',
  registerTitle: 'Create an account to continue',
  registerText: (app) =>
    `${app} wants to connect to your Sibyl account. Create one to see what it asks for; nothing is allowed by that yet.`,
  passwordHint: 'At least 10 characters; a few words are best.',
  register: 'Create the account',
  toSignIn: 'I have an account',
  title: (app) => `${app} wants access to your account`,
  verified: (name) => `Verified: ${name}`,
  unverified: 'Not verified. Only you can connect it, and only in the sandbox.',
  signedInAs: (who) => `Signed in as ${who}`,
  notYou: 'Use another account',
  wants: 'It will be able to',
  scopes,
  account: 'For',
  wholeAccount: 'Your account and all its subaccounts',
  onlySubaccount: (label) => `Only the subaccount ${label}`,
  lane: { live: 'Live: real money', sandbox: 'Sandbox: play money' },
  fee: (now, most) =>
    `App fee, on top of the exchange fee: ${now} of the cost of a trade. The app can raise it to at most ${most}.`,
  already:
    'You have allowed this app before. That access keeps its own daily cap until you revoke it.',
  dailyCap: 'Daily cap in USDT',
  dailyCapHint:
    'The most that this app can trade in a day. Leave empty for no cap: it can then use the whole balance of this account.',
  dailyCapWrong: 'The daily cap must be an amount above 0, such as 250.',
  lasts: {
    offline: 'Access ends after 90 days, or when you revoke it.',
    present: 'Access ends after 12 hours, or when you revoke it.',
  },
  never: 'It will never be able to',
  neverList: ['withdraw money', 'see your password', 'make API keys', 'see your email address'],
  approve: 'Allow',
  deny: 'Deny',
  goesTo: (host) => `You return to ${host} either way.`,
  revokeLater: 'You can revoke access at any time:',
  revokeWhere: 'Account, Connected apps',
  ownerOnly:
    'It has not been approved, so only its owner can connect it. If that is you, sign in first.',
  mistake: 'The link also has an error:',
  faultTitle: 'This link does not work',
  home: 'Go to the main page',
  faults: {
    client: 'There is no app with this client_id. Nothing was sent.',
    redirect_uri:
      'The app has not registered the address that it wants you to be sent to. Nothing was sent there.',
    repeated: 'A parameter of the link is given twice. Nothing was sent.',
    stale:
      'This form has expired, or you have signed in again since. Go back to the app and start again.',
    unapproved:
      'The app has not been approved, so only its owner can connect it. Nothing was sent to it.',
  },
};

const de: ConsentTexts = {
  signInTitle: 'Melden Sie sich an',
  unreviewedApp: 'Eine App, die noch nicht geprüft ist,',
  signInText: (app) =>
    `${app} möchte sich mit Ihrem Sibyl-Konto verbinden. Melden Sie sich an, um zu sehen, was verlangt wird.`,
  email: 'E-Mail',
  password: 'Passwort',
  code: 'Code',
  codeHint:
    'Aus Ihrem Authenticator oder ein Wiederherstellungscode. Lassen Sie das Feld leer, wenn Sie keinen nutzen.',
  confirm: 'Melden Sie sich noch einmal an: Diese App möchte Zugriff, während Sie nicht da sind.',
  signIn: 'Anmelden',
  passkeyHint:
    'Nutzen Sie einen Passkey? Melden Sie sich erst auf der Hauptseite an und kommen Sie dann hierher zurück.',
  toRegister: 'Ich bin neu hier',
  registerTitle: 'Legen Sie ein Konto an',
  registerText: (app) =>
    `${app} möchte sich mit Ihrem Sibyl-Konto verbinden. Legen Sie eines an, um zu sehen, was verlangt wird; erlaubt ist damit noch nichts.`,
  passwordHint: 'Mindestens 10 Zeichen; am besten ein paar Wörter.',
  register: 'Konto anlegen',
  toSignIn: 'Ich habe ein Konto',
  title: (app) => `${app} möchte auf Ihr Konto zugreifen`,
  verified: (name) => `Geprüft: ${name}`,
  unverified: 'Nicht geprüft. Nur Sie selbst können sie verbinden, und nur in der Sandbox.',
  signedInAs: (who) => `Angemeldet als ${who}`,
  notYou: 'Anderes Konto verwenden',
  wants: 'Sie wird können',
  scopes: {
    'markets:read': 'Märkte, Preise und öffentliche Abschlüsse lesen.',
    'account:read': 'Ihr Guthaben, Ihre Positionen, Aufträge und Abschlüsse lesen.',
    'orders:trade': 'Aufträge für Sie erteilen, ändern und stornieren.',
    'positions:convert': 'Vollständige Sätze für Sie bilden und auflösen.',
    'markets:create': 'Märkte mit Ihrem Guthaben als Einlage anlegen.',
    'webhooks:manage': 'Webhooks für Sie einrichten und ändern.',
    offline: 'Verbunden bleiben, während Sie nicht da sind.',
  },
  account: 'Für',
  wholeAccount: 'Ihr Konto mit allen Unterkonten',
  onlySubaccount: (label) => `Nur das Unterkonto ${label}`,
  lane: { live: 'Live: echtes Geld', sandbox: 'Sandbox: Spielgeld' },
  fee: (now, most) =>
    `Gebühr der App, zusätzlich zur Gebühr der Börse: ${now} der Kosten eines Abschlusses. Die App kann sie auf höchstens ${most} erhöhen.`,
  already:
    'Sie haben diese App schon einmal zugelassen. Das bleibt, mit einer eigenen Tagesgrenze, bis Sie es zurücknehmen.',
  dailyCap: 'Tagesgrenze in USDT',
  dailyCapHint:
    'So viel kann diese App höchstens an einem Tag handeln. Leer lassen für keine Grenze: Dann kann sie Ihr ganzes Guthaben einsetzen.',
  dailyCapWrong: 'Die Tagesgrenze muss ein Betrag über 0 sein, etwa 250.',
  lasts: {
    offline: 'Der Zugriff endet nach 90 Tagen, oder wenn Sie ihn entziehen.',
    present: 'Der Zugriff endet nach 12 Stunden, oder wenn Sie ihn entziehen.',
  },
  never: 'Sie wird niemals können',
  neverList: [
    'Geld auszahlen',
    'Ihr Passwort sehen',
    'API-Schlüssel anlegen',
    'Ihre E-Mail-Adresse sehen',
  ],
  approve: 'Erlauben',
  deny: 'Ablehnen',
  goesTo: (host) => `In beiden Fällen kehren Sie zu ${host} zurück.`,
  revokeLater: 'Sie können das jederzeit zurücknehmen:',
  revokeWhere: 'Konto, Verbundene Apps',
  ownerOnly:
    'Sie ist nicht freigegeben, deshalb kann nur wer sie besitzt sie verbinden. Wenn Sie das sind, melden Sie sich zuerst an.',
  mistake: 'Außerdem hat der Link einen Fehler:',
  faultTitle: 'Dieser Link geht nicht',
  home: 'Zur Hauptseite',
  faults: {
    client:
      'Keine App mit dieser client_id kann verbunden werden. Es wurde niemandem etwas gesendet.',
    redirect_uri:
      'Die App hat die Adresse nicht angemeldet, an die Sie geleitet werden sollen. Dorthin wurde nichts gesendet.',
    repeated: 'Ein Parameter des Links ist doppelt. Es wurde niemandem etwas gesendet.',
    stale:
      'Das Formular ist nicht von dieser Seite, oder Sie haben sich inzwischen neu angemeldet. Gehen Sie zur App zurück und beginnen Sie von vorn.',
    unapproved:
      'Die App ist nicht freigegeben, deshalb kann nur wer sie besitzt sie verbinden. Es wurde ihr nichts gesendet.',
  },
};

const es: ConsentTexts = {
  signInTitle: 'Inicie sesión para continuar',
  unreviewedApp: 'Una aplicación que no ha sido revisada',
  signInText: (app) =>
    `${app} quiere conectarse a su cuenta de Sibyl. Inicie sesión para ver qué solicita.`,
  email: 'Correo electrónico',
  password: 'Contraseña',
  code: 'Código',
  codeHint: 'De su autenticador, o un código de recuperación. Déjelo vacío si no usa ninguno.',
  confirm: 'Inicie sesión de nuevo: esta aplicación pide acceso mientras usted no está.',
  signIn: 'Iniciar sesión',
  passkeyHint:
    '¿Usa una llave de acceso? Inicie sesión primero en la página principal y vuelva después a esta.',
  toRegister: 'Soy nuevo',
  registerTitle: 'Cree una cuenta para continuar',
  registerText: (app) =>
    `${app} quiere conectarse a su cuenta de Sibyl. Cree una para ver qué solicita; con eso aún no se permite nada.`,
  passwordHint: 'Al menos 10 caracteres; unas palabras es lo mejor.',
  register: 'Crear la cuenta',
  toSignIn: 'Tengo una cuenta',
  title: (app) => `${app} quiere acceder a su cuenta`,
  verified: (name) => `Verificada: ${name}`,
  unverified: 'Sin verificar. Solo usted puede conectarla, y solo en el entorno de pruebas.',
  signedInAs: (who) => `Sesión iniciada como ${who}`,
  notYou: 'Usar otra cuenta',
  wants: 'Podrá',
  scopes: {
    'markets:read': 'Leer mercados, precios y operaciones públicas.',
    'account:read': 'Leer su saldo, posiciones, órdenes y ejecuciones.',
    'orders:trade': 'Enviar, cambiar y cancelar órdenes por usted.',
    'positions:convert': 'Crear y deshacer conjuntos completos por usted.',
    'markets:create': 'Crear mercados con su saldo como depósito.',
    'webhooks:manage': 'Registrar y cambiar webhooks por usted.',
    offline: 'Seguir conectada mientras usted no está.',
  },
  account: 'Para',
  wholeAccount: 'Su cuenta y todas sus subcuentas',
  onlySubaccount: (label) => `Solo la subcuenta ${label}`,
  lane: { live: 'Real: dinero de verdad', sandbox: 'Pruebas: dinero ficticio' },
  fee: (now, most) =>
    `Comisión de la aplicación, además de la de la bolsa: ${now} del coste de una operación. La aplicación puede subirla hasta ${most} como máximo.`,
  already:
    'Ya ha permitido esta aplicación antes. Eso sigue igual, con su propio límite diario, hasta que lo retire.',
  dailyCap: 'Límite diario en USDT',
  dailyCapHint:
    'Lo máximo que esta aplicación puede operar en un día. Déjelo vacío para no poner límite: entonces puede usar todo su saldo.',
  dailyCapWrong: 'El límite diario debe ser un importe mayor que 0, por ejemplo 250.',
  lasts: {
    offline: 'El acceso termina a los 90 días, o cuando usted lo retire.',
    present: 'El acceso termina a las 12 horas, o cuando usted lo retire.',
  },
  never: 'Nunca podrá',
  neverList: [
    'retirar dinero',
    'ver su contraseña',
    'crear claves de API',
    'ver su correo electrónico',
  ],
  approve: 'Permitir',
  deny: 'Rechazar',
  goesTo: (host) => `En ambos casos volverá a ${host}.`,
  revokeLater: 'Puede retirarlo en cualquier momento:',
  revokeWhere: 'Cuenta, Aplicaciones conectadas',
  ownerOnly:
    'No está aprobada, por eso solo su dueño puede conectarla. Si es usted, inicie sesión primero.',
  mistake: 'Además, el enlace tiene un error:',
  faultTitle: 'Este enlace no funciona',
  home: 'A la página principal',
  faults: {
    client:
      'No se puede conectar ninguna aplicación con este client_id. No se ha enviado nada a nadie.',
    redirect_uri:
      'La aplicación no ha registrado la dirección a la que quiere enviarle. No se ha enviado nada allí.',
    repeated: 'Un parámetro del enlace está repetido. No se ha enviado nada a nadie.',
    stale:
      'El formulario no es de esta página, o ha vuelto a iniciar sesión. Regrese a la aplicación y empiece de nuevo.',
    unapproved:
      'La aplicación no está aprobada, por eso solo su dueño puede conectarla. No se le ha enviado nada.',
  },
};

const zh: ConsentTexts = {
  signInTitle: '请登录以继续',
  unreviewedApp: '一个未经审核的应用',
  signInText: (app) => `${app} 想要连接您的 Sibyl 账户。请登录以查看其请求的权限。`,
  email: '邮箱',
  password: '密码',
  code: '验证码',
  codeHint: '来自您的验证器，或恢复代码。如未使用，请留空。',
  confirm: '请再次登录:该应用请求在您离开时仍可访问。',
  signIn: '登录',
  passkeyHint: '使用通行密钥？请先在主页登录，然后返回此页。',
  toRegister: '我是新用户',
  registerTitle: '请创建账户以继续',
  registerText: (app) =>
    `${app} 想要连接您的 Sibyl 账户。请创建账户以查看其请求的权限；此时尚未授予任何权限。`,
  passwordHint: '至少 10 个字符，建议用几个单词。',
  register: '创建账户',
  toSignIn: '我已有账户',
  title: (app) => `${app} 想要访问您的账户`,
  verified: (name) => `已验证：${name}`,
  unverified: '未经验证。只有您本人可以连接，且仅限沙盒。',
  signedInAs: (who) => `已登录：${who}`,
  notYou: '使用其他账户',
  wants: '它将能够',
  scopes: {
    'markets:read': '读取市场、价格和公开成交。',
    'account:read': '读取您的余额、持仓、订单和成交。',
    'orders:trade': '代您下单、改单和撤单。',
    'positions:convert': '代您铸造和合并完整份额组。',
    'markets:create': '以您的余额作为保证金创建市场。',
    'webhooks:manage': '代您注册和更改 webhook。',
    offline: '在您离开时保持连接。',
  },
  account: '账户',
  wholeAccount: '您的账户及其所有子账户',
  onlySubaccount: (label) => `仅子账户 ${label}`,
  lane: { live: '实盘：真实资金', sandbox: '沙盒：模拟资金' },
  fee: (now, most) => `除交易所费用外的应用费用：成交成本的 ${now}，应用最多可将其提高到 ${most}。`,
  already: '您之前已允许过此应用。原有授权及其每日限额保持不变，直到您收回。',
  dailyCap: '每日限额（USDT）',
  dailyCapHint: '此应用每天最多可交易的金额。留空表示不设限额：届时它可以使用您的全部余额。',
  dailyCapWrong: '每日限额必须是大于 0 的金额，例如 250。',
  lasts: {
    offline: '访问权限在 90 天后或您收回时结束。',
    present: '访问权限在 12 小时后或您收回时结束。',
  },
  never: '它永远不能',
  neverList: ['提取资金', '查看您的密码', '创建 API 密钥', '查看您的邮箱地址'],
  approve: '允许',
  deny: '拒绝',
  goesTo: (host) => `无论如何，您都将返回 ${host}。`,
  revokeLater: '您可以随时收回：',
  revokeWhere: '账户 → 已连接的应用',
  ownerOnly: '该应用尚未获批，只有其所有者可以连接。如果是您，请先登录。',
  mistake: '此外，链接有错误：',
  faultTitle: '此链接无效',
  home: '前往主页',
  faults: {
    client: '没有可连接的应用使用此 client_id。未向任何人发送任何内容。',
    redirect_uri: '该应用未注册其要求您前往的地址。未向该地址发送任何内容。',
    repeated: '链接中有重复的参数。未向任何人发送任何内容。',
    stale: '该表单不是来自此页面，或您已重新登录。请返回应用重新开始。',
    unapproved: '该应用尚未获批，只有其所有者可以连接。未向其发送任何内容。',
  },
};

export const consentTexts: Readonly<Record<Locale, ConsentTexts>> = { en, de, es, zh };
