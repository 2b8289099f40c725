// The fields of a template beside the market that they make.
import type { Template } from '@sibyl/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Card } from '../../components/card.tsx';
import { Field } from '../../components/field.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { useNote } from '../../components/toasts.tsx';
import { templateWords } from '../../format/template-words.ts';
import { numberFault } from '../../format/typed-number.ts';
import { useGo } from '../../frame/use-go.ts';
import { basePath, lane } from '../../lane.ts';
import { useClient } from '../../session/use-session.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { CreateStep } from './create-step.tsx';
import { forget } from './kept-draft.ts';
import { MarketDraft } from './market-draft.tsx';
import { ParamField } from './param-field.tsx';
import type { Fault } from './params.ts';
import { createTexts } from './texts.ts';
import { type Draft, refusedParam, useDraft, usePreview } from './use-draft.ts';

/** As the contract says. */
const TITLE_MAX = 200;

export function TemplateForm({ template }: { readonly template: Template }) {
  const t = useTexts(createTexts);
  const locale = useLocale();
  const draft = useDraft(template);
  const preview = usePreview(draft.body);
  const creation = useCreation(draft.body);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const refused = refusedParam(creation.error) ?? refusedParam(preview.error);
  const say = (fault: Fault): string => {
    if (fault.key === 'notNumber') return numberFault(locale);
    return 'bound' in fault ? t(fault.key, { bound: fault.bound }) : t(fault.key);
  };
  const faultOf = (name: string): string | null => {
    const fault = draft.faults[name];
    // Nobody is told off for a field that they have not come to yet.
    if (fault !== undefined) return touched.has(name) ? say(fault) : null;
    return refused?.name === name ? t('expected', { expected: refused.expected }) : null;
  };
  /** Why the draft cannot be created as it stands: an empty field first, then what is wrong with a filled one. */
  const refusalOf = (): string | null => {
    const wrong = draft.params.flatMap(({ name, label }) => {
      const fault = draft.faults[name];
      return fault === undefined ? [] : [{ fault, label }];
    });
    if (wrong.some(({ fault }) => fault.key === 'missing')) return t('fillIn');
    const [first] = wrong;
    return first === undefined ? null : `${first.label}: ${say(first.fault)}`;
  };
  const send = (event: FormEvent): void => {
    event.preventDefault();
    setTouched(new Set(draft.params.map(({ name }) => name)));
    if (preview.answer !== null && !preview.existed) creation.send();
  };
  return (
    <form onSubmit={send} noValidate className="grid items-start gap-4 lg:grid-cols-[1fr_24rem]">
      <Card
        title={<bdi>{templateWords(locale, template.id, template.name)}</bdi>}
        aside={
          <PageLink to="/create" className="shrink-0 text-accent hover:underline">
            {t('allTemplates')}
          </PageLink>
        }
      >
        <div className="flex flex-col gap-4">
          {draft.params.map((param) => (
            <ParamField
              key={param.name}
              param={param}
              typed={draft.typed[param.name] ?? ''}
              fault={faultOf(param.name)}
              onType={(text) => draft.type(param.name, text)}
              onLeave={() => setTouched((before) => new Set([...before, param.name]))}
            />
          ))}
          <Field
            label={`${t('ownTitle')} (${t('optional')})`}
            hint={t(lane === 'live' ? 'ownTitleLive' : 'ownTitleHint')}
            dir="auto"
            maxLength={TITLE_MAX}
            value={draft.title}
            onChange={(event) => draft.setTitle(event.target.value)}
          />
        </div>
      </Card>
      <div className="flex flex-col gap-4 lg:sticky lg:top-20">
        <MarketDraft template={template} draft={draft} preview={preview} />
        <CreateStep refusal={refusalOf()} preview={preview} creation={creation} />
      </div>
    </form>
  );
}

export interface Creation {
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly send: () => void;
}

function useCreation(body: Draft['body']): Creation {
  const t = useTexts(createTexts);
  const client = useClient();
  const queries = useQueryClient();
  const note = useNote();
  const go = useGo();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const send = async (): Promise<void> => {
    if (body === null) return;
    setBusy(true);
    setError(null);
    try {
      const { market, created } = await client.markets.create(body);
      queries.invalidateQueries({ queryKey: ['my-markets', basePath] }).catch(() => undefined);
      forget(body.template_id);
      if (created) note(t('created'), market.approved ? undefined : t('waits'));
      else note(t('exists'));
      go(`/m/${market.market_id}`);
    } catch (fault) {
      setError(fault);
    } finally {
      setBusy(false);
    }
  };
  return {
    isBusy,
    error,
    send: () => {
      send().catch(() => undefined);
    },
  };
}
