// Texts of the parts of the account page that are about one's own address and about leaving.
import type { Texts } from '../../texts/texts.ts';

export const leavingTexts = {
  address: {
    en: 'Address of mail',
    de: 'E-Mail-Adresse',
    es: 'Dirección de correo',
    zh: '邮箱地址',
  },
  verifiedSince: {
    en: 'verified {when}',
    de: 'bestätigt {when}',
    es: 'verificada {when}',
    zh: '已验证 {when}',
  },
  notVerified: { en: 'not verified', de: 'nicht bestätigt', es: 'sin verificar', zh: '未验证' },
  sendAgain: {
    en: 'Send the link again',
    de: 'Link noch einmal schicken',
    es: 'Enviar el enlace otra vez',
    zh: '重新发送链接',
  },
  sent: {
    en: 'A link is on its way to you.',
    de: 'Ein Link ist zu Ihnen unterwegs.',
    es: 'Un enlace va en camino.',
    zh: '链接已发送。',
  },
  noMail: {
    en: 'This exchange sends no mail. Ask its operator, who can hand you a link.',
    de: 'Diese Börse verschickt keine E-Mails. Fragen Sie den Betreiber, er kann Ihnen einen Link geben.',
    es: 'Esta bolsa no envía correo. Pregunte a su operador, que puede darle un enlace.',
    zh: '本交易所不发送邮件。请联系运营方获取链接。',
  },
  yourData: { en: 'Your data', de: 'Ihre Daten', es: 'Sus datos', zh: '您的数据' },
  exportText: {
    en: 'Everything that is kept of you, as a file: profile, sessions, keys, factors and webhooks, your own limits, deposits and withdrawals, and where your orders and your statement are read.',
    de: 'Alles, was über Sie aufbewahrt wird, als Datei: Profil, Sitzungen, Schlüssel, Faktoren und Webhooks, eigene Grenzen, Ein- und Auszahlungen, und wo Ihre Aufträge und Ihr Auszug zu lesen sind.',
    es: 'Todo lo que se guarda de usted, como archivo: perfil, sesiones, claves, factores y webhooks, límites propios, depósitos y retiradas, y dónde se leen sus órdenes y su extracto.',
    zh: '以文件形式导出我们保存的关于您的全部信息:资料、会话、密钥、验证方式和 webhook、自设限额、充值和提现记录,以及订单和账单的查询位置。',
  },
  export: {
    en: 'Download my data',
    de: 'Meine Daten herunterladen',
    es: 'Descargar mis datos',
    zh: '下载我的数据',
  },
  closeText: {
    en: 'Closing ends every session, key and webhook and erases what is known of you; the ledger keeps only the ids of your accounts, and hashes of network addresses are kept for a while against abuse. If you have excluded yourself, a hash of your address of mail is kept until that is over, so that the address cannot register anew. It cannot be undone.',
    de: 'Das Schließen beendet alle Sitzungen, Schlüssel und Webhooks und löscht, was über Sie bekannt ist; das Hauptbuch behält nur die IDs Ihrer Konten, und Hashes von Netzadressen bleiben eine Weile gegen Missbrauch. Wenn Sie sich selbst ausgeschlossen haben, bleibt bis zum Ende des Ausschlusses ein Hash Ihrer E-Mail-Adresse, damit sie sich nicht neu registrieren lässt. Es lässt sich nicht rückgängig machen.',
    es: 'Cerrar termina sesiones, claves y webhooks y borra lo que se sabe de usted; el libro mayor conserva solo los ids de sus cuentas, y los hashes de direcciones de red se guardan un tiempo contra abusos. Si se ha autoexcluido, se guarda un hash de su dirección de correo hasta que termine, para que no pueda registrarse de nuevo. No se puede deshacer.',
    zh: '注销将结束所有会话、密钥和 webhook,并删除您的个人信息;账本仅保留账户 ID,网络地址的哈希会保留一段时间以防滥用。如果您已自我排除,在期满前会保留邮箱地址的哈希,使其无法重新注册。此操作无法撤销。',
  },
  close: {
    en: 'Close my account',
    de: 'Mein Konto schließen',
    es: 'Cerrar mi cuenta',
    zh: '注销我的账户',
  },
  password: { en: 'Password', de: 'Passwort', es: 'Contraseña', zh: '密码' },
  closeForGood: {
    en: 'Close it for good',
    de: 'Endgültig schließen',
    es: 'Cerrarla para siempre',
    zh: '永久注销',
  },
  closed: {
    en: 'Your account is closed.',
    de: 'Ihr Konto ist geschlossen.',
    es: 'Su cuenta está cerrada.',
    zh: '您的账户已注销。',
  },
  open_orders: {
    en: 'There are open orders with real money. Cancel them first.',
    de: 'Es gibt offene Aufträge mit echtem Geld. Stornieren Sie sie zuerst.',
    es: 'Hay órdenes abiertas con dinero real. Cancélelas primero.',
    zh: '仍有真实资金的未完成订单,请先撤单。',
  },
  positions: {
    en: 'There are positions. Sell them, or wait until they are settled.',
    de: 'Es gibt Positionen. Verkaufen Sie sie oder warten Sie, bis sie abgerechnet sind.',
    es: 'Hay posiciones. Véndalas o espere a que se liquiden.',
    zh: '仍有持仓,请卖出或等待结算。',
  },
  balance: {
    en: 'There is money in the account, or on its way. Withdraw it first.',
    de: 'Es ist Geld im Konto oder unterwegs. Zahlen Sie es zuerst aus.',
    es: 'Hay dinero en la cuenta o en camino. Retírelo primero.',
    zh: '账户中仍有资金或在途资金,请先提取。',
  },
  stakes: {
    en: 'Markets of yours, or bonds, are not decided yet.',
    de: 'Eigene Märkte oder Pfänder sind noch nicht entschieden.',
    es: 'Sus mercados o fianzas aún no están decididos.',
    zh: '您创建的市场或保证金尚未结清。',
  },
  claims: {
    en: 'Markets in which you have lost money could still be cancelled and give it back. Wait until they are decided.',
    de: 'Märkte, in denen Sie Geld verloren haben, könnten noch abgesagt werden und es zurückgeben. Warten Sie, bis sie entschieden sind.',
    es: 'Mercados en los que ha perdido dinero aún podrían cancelarse y devolverlo. Espere a que se decidan.',
    zh: '您亏损过的市场仍可能被取消并退款,请等待其结果确定。',
  },
  frozen: {
    en: 'The account is frozen. Ask the operator.',
    de: 'Das Konto ist eingefroren. Fragen Sie den Betreiber.',
    es: 'La cuenta está congelada. Pregunte al operador.',
    zh: '账户已冻结,请联系运营方。',
  },
  limits: {
    en: 'You have set limits of your own on real money. Lift them first; that takes effect after a day.',
    de: 'Sie haben sich für echtes Geld eigene Grenzen gesetzt. Heben Sie sie zuerst auf; das gilt nach einem Tag.',
    es: 'Ha fijado límites propios para dinero real. Quítelos primero; surte efecto al cabo de un día.',
    zh: '您为真实资金设置了个人限额,请先解除;解除在一天后生效。',
  },
  restricted: {
    en: 'A list, or the country that the operator has set, restricts the account. Ask the operator.',
    de: 'Eine Liste oder das vom Betreiber gesetzte Land schränkt das Konto ein. Fragen Sie den Betreiber.',
    es: 'Una lista, o el país que fijó el operador, restringe la cuenta. Pregunte al operador.',
    zh: '账户受名单或运营方设定的国家限制,请联系运营方。',
  },
  flagged: {
    en: 'A check of the account is not over yet. Ask the operator.',
    de: 'Eine Prüfung des Kontos läuft noch. Fragen Sie den Betreiber.',
    es: 'Aún no ha terminado una revisión de la cuenta. Pregunte al operador.',
    zh: '账户审核尚未结束,请联系运营方。',
  },
} satisfies Texts<string>;
