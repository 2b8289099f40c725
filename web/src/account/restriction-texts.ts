// What somebody may not do, and what would change that, in words.
import type { Account } from '@sibyl/sdk';
import { dateTime } from '../format/times.ts';
import type { Locale, Texts, Translate } from '../texts/texts.ts';

export const restrictionTexts = {
  mayNotTrade: {
    en: 'This session may look but not trade.',
    de: 'Diese Sitzung darf ansehen, aber nicht handeln.',
    es: 'Esta sesión puede ver, pero no operar.',
    zh: '此会话只能查看，不能交易。',
  },
  readOnly: {
    en: 'The exchange takes no orders at the moment. Open orders can be cancelled.',
    de: 'Die Börse nimmt zurzeit keine Aufträge an. Offene können storniert werden.',
    es: 'La bolsa no acepta órdenes ahora. Las abiertas se pueden cancelar.',
    zh: '交易所暂不接受订单，现有订单可以撤销。',
  },
  frozen: {
    en: 'This account is frozen by the exchange. Ask its support.',
    de: 'Dieses Konto ist von der Börse gesperrt. Fragen Sie deren Support.',
    es: 'La bolsa bloqueó esta cuenta. Pregunte a su soporte.',
    zh: '该账户已被交易所冻结，请联系客服。',
  },
  jurisdiction: {
    en: 'This is not offered in the country you declared. Open orders can be cancelled.',
    de: 'Das wird in dem Land, das Sie angegeben haben, nicht angeboten. Offene Aufträge können storniert werden.',
    es: 'Esto no se ofrece en el país que declaró. Las órdenes abiertas se pueden cancelar.',
    zh: '您申报的国家或地区不提供此服务，现有订单可以撤销。',
  },
  sanctions: {
    en: 'The account matches an entry of a sanctions list. Ask the support of the exchange.',
    de: 'Das Konto entspricht einem Eintrag einer Sanktionsliste. Fragen Sie den Support der Börse.',
    es: 'La cuenta coincide con una entrada de una lista de sanciones. Pregunte al soporte de la bolsa.',
    zh: '该账户与制裁名单中的条目匹配，请联系交易所客服。',
  },
  abuse: {
    en: 'Trading is stopped until the exchange has looked at unusual trades. Ask its support.',
    de: 'Der Handel ruht, bis die Börse ungewöhnliche Geschäfte angesehen hat. Fragen Sie deren Support.',
    es: 'No puede operar hasta que la bolsa revise operaciones inusuales. Pregunte a su soporte.',
    zh: '在交易所核查异常交易之前无法交易，请联系客服。',
  },
  needsTier: {
    en: 'This needs a higher tier than you have.',
    de: 'Dafür ist eine höhere Stufe nötig, als Sie haben.',
    es: 'Esto requiere un nivel superior al suyo.',
    zh: '此操作需要更高的等级。',
  },
  needsCountry: {
    en: 'Trading needs to know where you live: declare your country in your account.',
    de: 'Für den Handel muss bekannt sein, wo Sie wohnen: Geben Sie Ihr Land im Konto an.',
    es: 'Para operar hay que saber dónde vive: declare su país en su cuenta.',
    zh: '交易需要知道您的居住地：请在账户中申报国家或地区。',
  },
  passwordReset: {
    en: 'Your password was reset with help from the exchange. You can trade again from {time}. You can cancel orders now.',
    de: 'Ihr Passwort wurde mit Hilfe der Börse zurückgesetzt. Sie können ab {time} wieder handeln. Aufträge stornieren können Sie jetzt.',
    es: 'Su contraseña se restableció con ayuda de la bolsa. Podrá operar de nuevo a partir del {time}. Ya puede cancelar órdenes.',
    zh: '您的密码已在交易所协助下重置。{time} 起可以再次交易，现在可以撤单。',
  },
  excluded: {
    en: 'You excluded yourself until {time}. You can sell and cancel, not buy.',
    de: 'Sie haben sich bis {time} selbst ausgeschlossen. Sie können verkaufen und stornieren, nicht kaufen.',
    es: 'Se autoexcluyó hasta el {time}. Puede vender y cancelar, no comprar.',
    zh: '您已自我排除至 {time}。可以卖出和撤单，不能买入。',
  },
  excludedForEver: {
    en: 'You excluded yourself for ever. You can sell and cancel, not buy.',
    de: 'Sie haben sich für immer selbst ausgeschlossen. Sie können verkaufen und stornieren, nicht kaufen.',
    es: 'Se autoexcluyó para siempre. Puede vender y cancelar, no comprar.',
    zh: '您已永久自我排除。可以卖出和撤单，不能买入。',
  },
} as const satisfies Texts<string>;

type Key = keyof typeof restrictionTexts;
export type Restriction = Account['restriction_reasons'][number];

const keys: Readonly<Record<string, Key | undefined>> = {
  SCOPE_MISSING: 'mayNotTrade',
  READ_ONLY_MODE: 'readOnly',
  SUBACCOUNT_FROZEN: 'frozen',
  JURISDICTION_BLOCKED: 'jurisdiction',
  SANCTIONS_HIT: 'sanctions',
  ANTI_ABUSE_BLOCKED: 'abuse',
  TIER_UPGRADE_REQUIRED: 'needsTier',
  COMPLIANCE_GATE_BLOCKED: 'needsCountry',
};

/** The end of the year 9999 is for ever. */
export const FOR_EVER_MS = 253_402_300_799_999;

export function restrictionWords(
  t: Translate<Key>,
  locale: Locale,
  { code, reason, rule_id: ruleId, until_ms: untilMs }: Restriction,
): string {
  if (ruleId === 'self_exclusion' && untilMs !== null) {
    if (untilMs === FOR_EVER_MS) return t('excludedForEver');
    return t('excluded', { time: dateTime(locale, untilMs) });
  }
  if (ruleId === 'password_reset' && untilMs !== null)
    return t('passwordReset', { time: dateTime(locale, untilMs) });
  const key = keys[code];
  if (key === undefined) return reason ?? code;
  // What an operator wrote stands as it was written.
  return code === 'SUBACCOUNT_FROZEN' && reason !== null ? `${t(key)} ${reason}` : t(key);
}

/** All of them; several rules may say the same to their reader, who is told it once. */
export function restrictionSentences(
  t: Translate<Key>,
  locale: Locale,
  restrictions: readonly Restriction[],
): readonly string[] {
  return [...new Set(restrictions.map((each) => restrictionWords(t, locale, each)))];
}
