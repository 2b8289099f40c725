// Narrows the log down.
import type { ApiKey } from '@sibyl/sdk';
import { useEffect, useEffectEvent, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Field } from '../../../components/field.tsx';
import { Select } from '../../../components/select.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { type Filters, methods, spans, statusClasses } from './filters.ts';
import { requestTexts } from './texts.ts';

interface Props {
  readonly filters: Filters;
  readonly keys: readonly ApiKey[];
  readonly onChoose: (filters: Filters) => void;
}

const ANY = 'any';
const statusTexts = { '2xx': 'successes', '4xx': 'refused', '5xx': 'failed' } as const;

export function FilterBar({ filters, keys, onChoose }: Props) {
  const t = useTexts(requestTexts);
  const choose = (name: keyof Filters, value: string): void => {
    const { [name]: _, ...others } = filters;
    onChoose(value === ANY || value === '' ? others : { ...others, [name]: value });
  };
  const any = (label: string) => ({ value: ANY, label });
  return (
    <search aria-label={t('filters')} className="flex flex-wrap items-end gap-2">
      <Select
        label={t('status')}
        value={filters.status ?? ANY}
        choices={[
          any(t('anyStatus')),
          ...statusClasses.map((value) => ({ value, label: t(statusTexts[value]) })),
        ]}
        onChoose={(value) => choose('status', value)}
      />
      <Select
        label={t('method')}
        value={filters.method ?? ANY}
        choices={[any(t('anyMethod')), ...methods.map((value) => ({ value, label: value }))]}
        onChoose={(value) => choose('method', value)}
      />
      <Select
        label={t('time')}
        value={filters.span ?? ANY}
        choices={[any(t('anyTime')), ...spans.map((value) => ({ value, label: t(value) }))]}
        onChoose={(value) => choose('span', value)}
      />
      <Select
        label={t('key')}
        value={filters.key ?? ANY}
        choices={[any(t('anyKey')), ...keyChoices(keys, filters.key)]}
        onChoose={(value) => choose('key', value)}
      />
      <TextFilter
        label={t('code')}
        value={filters.code ?? ''}
        onChoose={(value) => choose('code', value.toUpperCase())}
      />
      <TextFilter
        label={t('pathContains')}
        value={filters.path ?? ''}
        onChoose={(value) => choose('path', value)}
      />
      {Object.keys(filters).length > 0 && (
        <Button kind="quiet" onClick={() => onChoose({})}>
          {t('clear')}
        </Button>
      )}
    </search>
  );
}

/** A key that is filtered by is among the choices also when the list does not have it. */
function keyChoices(keys: readonly ApiKey[], chosen: string | undefined) {
  const choices = keys.map(({ key_id: value, label }) => ({
    value,
    label: label === '' ? value : `${label.slice(0, 24)} · ${value}`,
  }));
  const isKnown = chosen === undefined || choices.some(({ value }) => value === chosen);
  return isKnown ? choices : [...choices, { value: chosen, label: chosen }];
}

const TYPED_MS = 300;

/** Asks when somebody has stopped typing. */
function TextFilter({
  label,
  value,
  onChoose,
}: {
  readonly label: string;
  readonly value: string;
  readonly onChoose: (value: string) => void;
}) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const settle = useEffectEvent(() => {
    if (typed.trim() !== value) onChoose(typed.trim());
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: every letter begins the wait anew
  useEffect(() => {
    const timer = setTimeout(() => settle(), TYPED_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <div className="min-w-36 flex-1 sm:w-44 sm:flex-none">
      <Field
        label={label}
        maxLength={64}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </div>
  );
}
