// The templates that anybody may make a market from, with a question and a deposit of their own: one for each kind of outcome.

import type { LaneName, TemplateDefinition } from '@sibyl/engine';
import { epoch, type Sketch, template, text } from './sketch.ts';

/** In the sandbox their maker says how they end; in live an operator approves them first and people propose. */
export function ownTemplates(lane: LaneName): readonly TemplateDefinition[] {
  const isSandbox = lane === 'sandbox';
  const source = isSandbox ? 'sandbox_mock' : 'manual';
  const rules = { source, requiresApproval: !isSandbox } as const;
  return [
    template(lane, { ...ownQuestion, ...rules }),
    ...CHOICES.map((count) => template(lane, { ...ownChoice(count), ...rules })),
    template(lane, { ...ownNumber, ...rules }),
    ...(isSandbox ? [template(lane, reviewedQuestion)] : []),
  ];
}

/** Within what the faucet gives at a time. */
export const OWN_DEPOSIT_USDT = 500;

const common = {
  category: 'community',
  marketType: 'creator',
  title: '{question}',
  depositUsdt: OWN_DEPOSIT_USDT,
} as const;
const question = { question: { ...text(160), title: 'Question' } };
const closing = { closes_at_ms: epoch('When trading closes') };

const ownQuestion = {
  ...common,
  id: 'own-question',
  name: 'Your own question',
  outcomeSchema: 'binary',
  description: 'Resolves to yes or to no.',
  properties: { ...question, ...closing },
  required: ['question', 'closes_at_ms'],
} as const satisfies Omit<Sketch, 'source'>;

/** A template has as many outcomes as it names: one for each number of answers. */
const CHOICES = [3, 4, 5, 6] as const;
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'] as const;

function ownChoice(count: (typeof CHOICES)[number]): Omit<Sketch, 'source'> {
  const answers = ORDINALS.slice(0, count);
  return {
    ...common,
    id: `own-choice-${count}`,
    name: `Your own question with ${count} answers`,
    outcomeSchema: 'multi',
    outcomes: answers.map((id) => ({ id, label: `{${id}}` })),
    description: 'Resolves to one of its answers.',
    properties: {
      ...question,
      ...Object.fromEntries(answers.map((id) => [id, { ...text(48), title: `The ${id} answer` }])),
      ...closing,
    },
    required: ['question', ...answers, 'closes_at_ms'],
  };
}

const ownNumber = {
  ...common,
  id: 'own-number',
  name: 'Your own question for a number',
  outcomeSchema: 'scalar',
  subtitle: 'From {lower} to {upper} {unit}',
  description: 'Pays by where the number lies between the lower and the upper end.',
  properties: {
    ...question,
    lower: { ...text(20), title: 'Lower end, a decimal' },
    upper: { ...text(20), title: 'Upper end, a decimal' },
    unit: { ...text(16), title: 'Unit' },
    ...closing,
  },
  required: ['question', 'lower', 'upper', 'closes_at_ms'],
} as const satisfies Omit<Sketch, 'source'>;

/** As in live, so that clients meet a market that waits for its approval. */
const reviewedQuestion: Sketch = {
  ...ownQuestion,
  id: 'yes-no-question',
  name: 'Any question, after review',
  source: 'manual',
  requiresApproval: true,
};
