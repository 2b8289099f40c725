// Fills the placeholders of display texts with params; a placeholder is a name between braces.
import type { OutcomeId } from '../kit/identity.ts';
import { type Params, paramOf } from './params.ts';
import { propertyOf } from './schema.ts';
import type { DisplayTranslation, ParamsSchema, TemplateDefinition } from './template.ts';

export interface DisplayedOutcome {
  readonly id: OutcomeId;
  readonly label: string;
}

/** The first placeholder that names no property of the schema, or null. */
export function missingKey(definition: TemplateDefinition, schema: ParamsSchema): string | null {
  const { displayDefaults, outcomes } = definition;
  const texts = [
    displayDefaults.titleTemplate,
    displayDefaults.subtitleTemplate,
    displayDefaults.description,
    displayDefaults.imageUrlPattern,
    ...outcomes.map((outcome) => outcome.label),
    ...translationsOf(definition).flatMap(([, translation]) => [
      translation.titleTemplate,
      translation.subtitleTemplate,
    ]),
  ];
  for (const text of texts) {
    if (text === null) continue;
    for (const [, name] of text.matchAll(PLACEHOLDER)) {
      if (name !== undefined && propertyOf(schema, name) === undefined) return name;
    }
  }
  return null;
}

export function renderText(text: string, params: Params): string {
  return render(text, params, String);
}

/** Values are escaped, so that a param cannot change which address a URL names. */
export function renderUrl(pattern: string, params: Params): string {
  return render(pattern, params, encodeURIComponent);
}

/** Binary and scalar markets have outcomes of their own; a multi template names its outcomes. */
export function renderOutcomes(
  definition: TemplateDefinition,
  params: Params,
): readonly DisplayedOutcome[] {
  switch (definition.outcomeSchema) {
    case 'binary':
      return BINARY;
    case 'scalar':
      return SCALAR;
    case 'multi':
      return definition.outcomes.map(({ id, label }) => ({ id, label: renderText(label, params) }));
  }
}

/** By language tag, in ascending order. */
function translationsOf({
  displayDefaults: { translations = {} },
}: TemplateDefinition): readonly (readonly [string, DisplayTranslation])[] {
  return Object.keys(translations)
    .sort()
    .map((tag) => [tag, translations[tag]!]);
}

export function outcomeCount(definition: TemplateDefinition): number {
  return definition.outcomeSchema === 'multi' ? definition.outcomes.length : 2;
}

export function outcomeIdsOf(definition: TemplateDefinition): readonly OutcomeId[] {
  return renderOutcomes(definition, {}).map(({ id }) => id);
}

const PLACEHOLDER = /\{([^{}]*)\}/g;
const BINARY: readonly DisplayedOutcome[] = [
  { id: 'yes', label: 'Yes' },
  { id: 'no', label: 'No' },
];
const SCALAR: readonly DisplayedOutcome[] = [
  { id: 'long', label: 'Long' },
  { id: 'short', label: 'Short' },
];

function render(text: string, params: Params, write: (value: string) => string): string {
  return text.replace(PLACEHOLDER, (_, name: string) => {
    const value = paramOf(params, name);
    return value === undefined ? '' : write(`${value}`);
  });
}
