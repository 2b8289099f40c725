// Units of whole numbers: a person reads and types "2 h" or "0.2 %", the exchange reads milliseconds or basis points.

export interface Unit {
  /** Shown at the end of the field; null if it is typed with the number. */
  readonly suffix: string | null;
  readonly expected: string;
  /** Undefined for text that is no whole number of the smallest unit. */
  readonly read: (text: string) => number | undefined;
  /** What the field holds. */
  readonly typed: (value: number) => string;
  readonly shown: (value: number) => string;
}

const SPANS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const;

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const PLAIN_SPANS_FROM = 2;

const grouped = new Intl.NumberFormat('en', { maximumFractionDigits: 6 });

/** The largest unit that divides the time; a day is shown as 24 h. */
function spanWords(ms: number): string {
  const found = SPANS.find(
    ([name, unitMs]) =>
      ms !== 0 && ms % unitMs === 0 && (name !== 'd' || ms / unitMs >= PLAIN_SPANS_FROM),
  );
  return found === undefined ? '0 s' : `${grouped.format(ms / found[1])} ${found[0]}`;
}

/** A length of time that the exchange counts in units of so many milliseconds. */
function span(unitMs: number): Unit {
  return {
    suffix: null,
    expected: 'a number with a unit: 90 s, 5 min, 2 h or 7 d',
    read: (text) => {
      const [, digits, name] = /^([0-9][0-9,]{0,14}) ?([a-z]+)$/.exec(text) ?? [];
      const factor = SPANS.find(([unit]) => unit === name)?.[1];
      if (digits === undefined || factor === undefined) return undefined;
      const count = (Number(digits.replaceAll(',', '')) * factor) / unitMs;
      return Number.isSafeInteger(count) ? count : undefined;
    },
    typed: (value) => spanWords(value * unitMs),
    shown: (value) => spanWords(value * unitMs),
  };
}

/** A decimal with so many places, counted in its last place. */
function decimal(places: number, suffix: string): Unit {
  const pattern = new RegExp(`^([0-9]{1,12})(?:\\.([0-9]{1,${places}}))?$`);
  const plain = (value: number): string => {
    const digits = String(value).padStart(places + 1, '0');
    const fraction = digits.slice(-places).replace(/0+$/, '');
    const whole = digits.slice(0, -places);
    return fraction === '' ? whole : `${whole}.${fraction}`;
  };
  return {
    suffix,
    expected: `a number with at most ${places} decimal places`,
    read: (text) => {
      const [, whole, fraction = ''] = pattern.exec(text) ?? [];
      if (whole === undefined) return undefined;
      const value = Number(whole + fraction.padEnd(places, '0'));
      return Number.isSafeInteger(value) ? value : undefined;
    },
    typed: plain,
    shown: (value) => {
      const text = grouped.format(Number(plain(value)));
      return suffix === '¢' ? `${text}¢` : `${text} ${suffix}`;
    },
  };
}

const PERCENT = decimal(2, '%');
const RATE = decimal(6, '%');

/** By the end of a field's name, which the label then leaves out. */
const UNITS: readonly (readonly [RegExp, Unit])[] = [
  [/_ms$/, span(1)],
  [/_sec$/, span(SECOND_MS)],
  [/_minutes$/, span(MINUTE_MS)],
  [/_hours$/, span(HOUR_MS)],
  [/_bps(?=_max$|$)/, PERCENT],
  [/_weight$/, PERCENT],
  [/_rate$/, RATE],
  [/_lots(?=_max$|$)/, decimal(2, 'shares')],
  [/^pips$/, decimal(2, '¢')],
];

export function unitOf(name: string): Unit | null {
  return found(name)?.[1] ?? null;
}

export function withoutUnit(name: string): string {
  const unit = found(name);
  return unit === undefined ? name : name.replace(unit[0], '');
}

function found(name: string): (typeof UNITS)[number] | undefined {
  return UNITS.find(([end]) => end.test(name));
}

/** "1000.500000" as "1,000.5": an amount that people chose, and never odd in the last place. */
export function amountWords(text: string): string {
  const [whole = '', fraction = ''] = text.split('.');
  const rest = fraction.replace(/0+$/, '');
  const digits = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return rest === '' ? digits : `${digits}.${rest}`;
}
