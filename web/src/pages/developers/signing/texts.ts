// Texts of the page that shows how a request is signed.
import type { Texts } from '../../../texts/texts.ts';

export const signingTexts = {
  title: {
    en: 'Signature debugger',
    de: 'Signaturen prüfen',
    es: 'Depurador de firmas',
    zh: '签名调试',
  },
  about: {
    en: 'For keys whose requests may be signed. Everything is worked out in this browser: the secret is sent nowhere and kept nowhere.',
    de: 'Für Schlüssel, deren Anfragen signiert sein dürfen. Alles wird in diesem Browser berechnet: Das Geheimnis wird nirgends hin gesendet und nirgends gespeichert.',
    es: 'Para claves cuyas peticiones pueden ir firmadas. Todo se calcula en este navegador: el secreto no se envía ni se guarda.',
    zh: '适用于可对请求签名的密钥。所有计算都在本浏览器中完成：密钥不会被发送或保存。',
  },
  variant: { en: 'Variant', de: 'Variante', es: 'Variante', zh: '变体' },
  variantA: { en: 'A, with a nonce', de: 'A, mit Nonce', es: 'A, con nonce', zh: 'A(随机数)' },
  variantB: {
    en: 'B, with a passphrase',
    de: 'B, mit Passphrase',
    es: 'B, con frase de paso',
    zh: 'B(口令)',
  },
  keyId: { en: 'Key id', de: 'Schlüssel-ID', es: 'Id de la clave', zh: '密钥 ID' },
  secret: { en: 'Signing secret', de: 'Signaturgeheimnis', es: 'Secreto de firma', zh: '签名密钥' },
  passphrase: { en: 'Passphrase', de: 'Passphrase', es: 'Frase de paso', zh: '口令' },
  method: { en: 'Method', de: 'Methode', es: 'Método', zh: '方法' },
  path: {
    en: 'Path with its query, as it is sent',
    de: 'Pfad mit Abfrage, wie gesendet',
    es: 'Ruta con su consulta, tal como se envía',
    zh: '路径及查询串(与发送时一致)',
  },
  body: {
    en: 'Body, as it is sent',
    de: 'Inhalt, wie gesendet',
    es: 'Cuerpo, tal como se envía',
    zh: '请求体(与发送时一致)',
  },
  timestamp: {
    en: 'Timestamp, UNIX seconds',
    de: 'Zeitstempel, UNIX-Sekunden',
    es: 'Marca de tiempo, segundos UNIX',
    zh: '时间戳(UNIX 秒)',
  },
  nonce: { en: 'Nonce', de: 'Nonce', es: 'Nonce', zh: '随机数' },
  now: {
    en: 'Fresh time and nonce',
    de: 'Neue Zeit und Nonce',
    es: 'Tiempo y nonce nuevos',
    zh: '刷新时间与随机数',
  },
  canonical: {
    en: 'Canonical text',
    de: 'Kanonischer Text',
    es: 'Texto canónico',
    zh: '规范文本',
  },
  hash: {
    en: 'Its SHA-256 (canonical_hash of a refusal in the sandbox)',
    de: 'Sein SHA-256 (canonical_hash einer Ablehnung in der Sandbox)',
    es: 'Su SHA-256 (canonical_hash de un rechazo en el sandbox)',
    zh: '其 SHA-256(沙盒拒绝信息中的 canonical_hash)',
  },
  headers: { en: 'Headers', de: 'Header', es: 'Cabeceras', zh: '请求头' },
} satisfies Texts<string>;
