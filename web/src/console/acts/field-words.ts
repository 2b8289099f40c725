// What fields are called where the name of the interface says too little, and what people should know of them.
import { labelOf } from '@sibyl/contract/console';
import { withoutUnit } from './units.ts';

interface FieldWords {
  readonly label: string;
  /** Instead of what the interface says for programs. */
  readonly hint?: string;
}

/** By the place of the field in its record: the longest end that is known. */
const WORDS: Readonly<Record<string, FieldWords>> = {
  template_id: { label: 'Template', hint: 'A market is made from the newest version.' },
  display_title: { label: 'Title', hint: 'Replaces the title of the template.' },
  display_image_url: { label: 'Image address' },
  payout_vector: {
    label: 'Payout of each outcome',
    hint: 'Instead of a winning outcome: what one share of each pays. Together 1 USDT.',
  },
  winning_outcome_id: { label: 'Winning outcome', hint: 'Empty if the payout is split.' },
  outcome_id: { label: 'Outcome' },
  chain_data: {
    label: 'Settlement metadata',
    hint: 'JSON with at most 4,096 characters. Empty removes it.',
  },
  'template.id': { label: 'ID', hint: 'Up to 128 of a-z, 0-9, ., _ and -.' },
  'template.outcomes': {
    label: 'Outcomes',
    hint: 'Only for several outcomes. Labels may have {parameter} placeholders.',
  },
  'template.market_type': { label: 'For', hint: 'Creator, or markets of the platform.' },
  'template.outcome_schema': { label: 'Outcomes are' },
  'template.min_bet': { label: 'Smallest order' },
  'template.max_bet': { label: 'Largest order' },
  'template.min_creator_deposit': { label: 'Deposit', hint: 'Provides the first liquidity.' },
  'template.requires_approval': { label: 'New markets need approval' },
  'template.tick_size': { label: 'Tick size', hint: 'Divides 1, at most 0.1; default 0.001.' },
  'template.min_size': { label: 'Smallest size', hint: 'In steps of 0.01; default 1.' },
  'template.duration_sec': {
    label: 'Open for',
    hint: 'Of markets without a closing time. For example 90 s, 2 h or 7 d.',
  },
  'template.prior': { label: 'Opening prices', hint: 'One for each outcome, together 1.' },
  'template.price_band': {
    label: 'Price band',
    hint: 'How far an order may trade from the price of ten seconds ago, at most 0.2.',
  },
  'template.fee_schedule': { label: 'Fees' },
  'fee_schedule.maker_bps': { label: 'Highest maker rebate', hint: '0.03 to 0.08 %.' },
  'fee_schedule.taker_bps': { label: 'Peak taker fee', hint: '0.08 to 0.2 %.' },
  'fee_schedule.settle_bps': { label: 'Fee on winnings', hint: 'At most 10 %.' },
  'template.params_schema': {
    label: 'Parameters of a market',
    hint: 'JSON Schema: “title” of a parameter is the label that creators see.',
  },
  'template.display_defaults': { label: 'What people read' },
  'display_defaults.title_template': { label: 'Title', hint: 'With {parameter} placeholders.' },
  'display_defaults.subtitle_template': {
    label: 'Subtitle',
    hint: 'With {parameter} placeholders.',
  },
  'display_defaults.description': {
    label: 'How it is decided',
    hint: 'Shown under Rules, with {parameter} placeholders.',
  },
  'display_defaults.image_url_pattern': {
    label: 'Image address',
    hint: 'With {parameter} placeholders.',
  },
  'display_defaults.translations': {
    label: 'Translations',
    hint: 'JSON: language tag, then title_template and subtitle_template.',
  },
  'template.oracle_config': { label: 'Oracle' },
  'oracle_config.source': { label: 'Decided by' },
  'oracle_config.params': { label: 'Settings of the source', hint: 'JSON, as the source needs.' },
  'oracle_config.challenge_sec': { label: 'Challenge window' },
  'oracle_config.bond': { label: 'Bond of a proposer' },
  'template.round_config': { label: 'Rounds, for fast markets only' },
  'round_config.duration_sec': { label: 'Length of a round' },
  'round_config.lock_offset_ms': { label: 'Orders close before the end' },
  lanes: { label: 'Exchanges', hint: 'Live only by default.' },
  operations: { label: 'Blocked', hint: 'Everything by default.' },
  countries: { label: 'Countries', hint: 'Two capital letters each, such as PT.' },
  'gates.country': { label: 'A country must be declared' },
  'gates.tier_min': { label: 'Lowest tier' },
  names: { label: 'Names', hint: 'Every word of the name, in any order.' },
  emails: { label: 'E-mail addresses' },
  wallets: { label: 'Wallets' },
  'anti_abuse.sign_ups': { label: 'Sign-ups' },
  'sign_ups.per_address': { label: 'Most sign-ups of one network address' },
  'sign_ups.window_minutes': { label: 'Within' },
  'faucet.accounts_per_address': { label: 'Most accounts of one network address' },
  'wash_trading.window_hours': { label: 'Within' },
  'wash_trading.share_percent': { label: 'Least part traded with linked accounts' },
  'wash_trading.volume_min': { label: 'Least volume' },
  'wash_trading.blocks': { label: 'Trading is refused until the flag is cleared' },
};

export function fieldWords(path: string): FieldWords {
  const names = path.split('.');
  const ends = names.map((_, at) => names.slice(at).join('.'));
  const known = ends.find((end) => Object.hasOwn(WORDS, end));
  const words = known === undefined ? undefined : WORDS[known];
  return words ?? { label: labelOf(withoutUnit(names.at(-1) ?? path)) };
}
