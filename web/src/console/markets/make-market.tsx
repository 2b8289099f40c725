// A market of the platform: the template from a list, and a field for each of its parameters.
import type { OperatorOperations, OutputOf } from '@sibyl/contract/console';
import { labelOf } from '@sibyl/contract/console';
import { Figure } from '../../components/figure.tsx';
import { ActButton } from '../acts/act-button.tsx';
import type { Draft, Schema, Shapes } from '../acts/act-fields.ts';
import { amountWords, unitOf } from '../acts/units.ts';
import { useLane } from '../lane.tsx';
import { useAsk } from '../use-ask.ts';

export type Template = OutputOf<OperatorOperations['findTemplates']>['templates'][number];

export function MakeMarket({ template }: { readonly template?: Template }) {
  const { lane } = useLane();
  const query = { lane, status: 'active' } as const;
  const { data } = useAsk('findTemplates', { query }, { isWanted: template === undefined });
  const templates = template === undefined ? (data?.templates ?? []) : [template];
  const chosen = (draft: Draft): Template | undefined =>
    templates.find(({ id }) => id === draft.template_id);
  return (
    <ActButton
      act="createPlatformMarket"
      label="Make a market"
      {...(template !== undefined && { preset: { template_id: template.id } })}
      options={{ template_id: templates.map((one) => ({ value: one.id, label: nameOf(one) })) }}
      shapes={(draft) => shapesOf(chosen(draft))}
      about={(draft) => <About template={chosen(draft)} />}
    />
  );
}

function nameOf({ name, version, category }: Template): string {
  return `${name}, version ${version} (${labelOf(category)})`;
}

/** Nothing is asked for before a template is chosen. */
function shapesOf(template: Template | undefined): Shapes {
  const schema: Schema = template?.params_schema ?? {};
  return { params: { ...schema, title: 'What the market is about' } };
}

function About({ template }: { readonly template: Template | undefined }) {
  if (template === undefined) return null;
  const { display_defaults: display, oracle_config: oracle } = template;
  return (
    <section aria-label="The template" className="rounded-md bg-page p-3">
      <p className="mb-3 wrap-anywhere">{display.title_template}</p>
      <dl className="grid grid-cols-2 gap-3">
        <Figure label="Category">{labelOf(template.category)}</Figure>
        <Figure label="Decided by">{labelOf(oracle.source)}</Figure>
        <Figure label="Deposit">{`${amountWords(template.min_creator_deposit)} USDT`}</Figure>
        <Figure label="Challenge window">{unitOf('_sec')?.shown(oracle.challenge_sec)}</Figure>
      </dl>
    </section>
  );
}
