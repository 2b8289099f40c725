// The form of a template: empty, the next version of one, or a copy of one to begin with.
import { labelOf } from '@sibyl/contract/console';
import { ActButton } from '../acts/act-button.tsx';
import type { Template } from './make-market.tsx';

/** Those of the exchange; the contract leaves them open, for an unknown one has a code of its own. */
const SOURCES = ['manual', 'price_feed', 'http_json', 'quorum', 'sandbox_mock'];

interface Props {
  readonly label: string;
  /** Whose categories are suggested. */
  readonly known: readonly Template[];
  /** What the form begins with. */
  readonly from?: Partial<Template>;
}

export function PublishTemplate({ label, known, from = EMPTY }: Props) {
  return (
    <ActButton
      act="publishTemplate"
      label={label}
      values={{ template: from }}
      options={{
        'template.oracle_config.source': SOURCES.map((value) => ({ value, label: labelOf(value) })),
        'template.category': {
          suggested: [...new Set(known.map(({ category }) => category))].toSorted(),
        },
      }}
    />
  );
}

const EMPTY: Partial<Template> = {
  version: 1,
  params_schema: {
    type: 'object',
    required: ['question', 'closes_at_ms'],
    properties: {
      question: { type: 'string', title: 'Question', minLength: 1, maxLength: 160 },
      closes_at_ms: { type: 'integer', title: 'When trading closes', minimum: 0 },
    },
  },
};
