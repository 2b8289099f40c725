// Numbers of bank accounts that were mistyped: an IBAN has two digits that the rest of it must fit (ISO 13616).

/** Who gives out IBANs. What only looks like one, such as an id of some custody's own, is left to the custody. */
const COUNTRIES: ReadonlySet<string> = new Set(
  (
    'AD AE AL AT AZ BA BE BG BH BI BR BY CH CR CY CZ DE DJ DK DO EE EG ES FI FK FO FR GB GE GI GL GR GT HN HR HU IE IL IQ IS IT ' +
    'JO KW KZ LB LC LI LT LU LV LY MC MD ME MK MN MR MT MU NI NL NO OM PK PL PS PT QA RO RS RU SA SC SD SE SI SK SM SO ST SV ' +
    'TL TN TR UA VA VG XK YE'
  ).split(' '),
);

const FORM = /^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$/;

/** Whether it has the form of an IBAN and its digits do not fit. */
export function isMistypedIban(destination: string): boolean {
  const text = destination.replaceAll(' ', '');
  if (!FORM.test(text) || !COUNTRIES.has(text.slice(0, 2))) return false;
  // Letters count from ten on, and country and digits come last.
  const turned = `${text.slice(4)}${text.slice(0, 4)}`;
  const digits = [...turned].map((sign) => Number.parseInt(sign, 36)).join('');
  return BigInt(digits) % 97n !== 1n;
}
