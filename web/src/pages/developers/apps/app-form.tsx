// What an app is called, where it is, and what it may ask for.
import { limits } from '@sibyl/contract/limits';
import { scopes } from '@sibyl/contract/scopes';
import { useState } from 'react';
import { CheckBox } from '../../../components/check-box.tsx';
import { Field } from '../../../components/field.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { SendForm } from '../send-form.tsx';
import type { App } from '../use-apps.ts';
import { appTexts } from './texts.ts';

export interface AppInput {
  readonly name: string;
  readonly redirect_uris: string[];
  readonly allowed_origins: string[];
  readonly allowed_scopes: string[];
  readonly builder_fee_bps: number;
  readonly client_type?: 'confidential' | 'public';
  readonly resubmit?: boolean;
}

interface Props {
  /** What is there already. */
  readonly app?: App;
  readonly action: string;
  readonly onSend: (input: AppInput) => Promise<void>;
  readonly onCancel: () => void;
}

const USUAL = ['account:read'];

export function AppForm({ app, action, onSend, onCancel }: Props) {
  const t = useTexts(appTexts);
  const [name, setName] = useState(app?.name ?? '');
  const [redirects, setRedirects] = useState(app?.redirect_uris.join(' ') ?? '');
  const [origins, setOrigins] = useState(app?.allowed_origins.join(' ') ?? '');
  const [fee, setFee] = useState(String(app?.builder_fee_bps ?? 0));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(app?.allowed_scopes ?? USUAL));
  const [isPublic, setPublic] = useState(false);
  const cap = app?.fee_cap_bps ?? limits.builderFeeBpsMax;
  const refusal = refusalOf({ name, redirects, chosen, fee }, t);

  const typed = (): AppInput => ({
    name: name.trim(),
    redirect_uris: wordsOf(redirects),
    allowed_origins: wordsOf(origins),
    allowed_scopes: [...chosen],
    builder_fee_bps: Number(fee),
    ...(app === undefined && { client_type: isPublic ? 'public' : 'confidential' }),
    ...(app?.status === 'approved' && { resubmit: true }),
  });

  return (
    <SendForm action={action} refusal={refusal} onSend={() => onSend(typed())} onCancel={onCancel}>
      <div className="grid gap-4 md:grid-cols-2">
        <Field
          label={t('name')}
          hint={t('nameHint')}
          maxLength={limits.apps.nameLengthMax}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Field
          label={t('fee')}
          hint={t('feeHint', { cap })}
          inputMode="numeric"
          suffix={t('bps')}
          value={fee}
          onChange={(event) => setFee(event.target.value)}
        />
        <Field
          label={t('redirects')}
          hint={t('redirectsHint')}
          placeholder="https://example.com/callback"
          value={redirects}
          onChange={(event) => setRedirects(event.target.value)}
        />
        <Field
          label={t('origins')}
          hint={t('originsHint')}
          placeholder="https://example.com"
          value={origins}
          onChange={(event) => setOrigins(event.target.value)}
        />
      </div>
      <Scopes chosen={chosen} onChoose={setChosen} />
      {app === undefined && (
        <CheckBox
          label={t('publicClient')}
          hint={t('publicHint')}
          isChecked={isPublic}
          onToggle={setPublic}
        />
      )}
      {app?.status === 'approved' && <p className="text-warn">{t('reviewAgain')}</p>}
    </SendForm>
  );
}

interface ScopesProps {
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (chosen: ReadonlySet<string>) => void;
}

function Scopes({ chosen, onChoose }: ScopesProps) {
  const t = useTexts(appTexts);
  return (
    <fieldset className="grid gap-3 sm:grid-cols-2">
      <legend className="mb-2 text-xs text-muted">{t('scopes')}</legend>
      {scopeNames.map((scope) => (
        <CheckBox
          key={scope}
          label={scope}
          hint={t(scope)}
          isCode
          isChecked={chosen.has(scope)}
          onToggle={(isChecked) => {
            const next = new Set(chosen);
            if (isChecked) next.add(scope);
            else next.delete(scope);
            onChoose(next);
          }}
        />
      ))}
    </fieldset>
  );
}

// The keys of the record are exactly its scopes.
const scopeNames = Object.keys(scopes) as (keyof typeof scopes)[];

interface Typed {
  readonly name: string;
  readonly redirects: string;
  readonly chosen: ReadonlySet<string>;
  readonly fee: string;
}

function refusalOf(
  { name, redirects, chosen, fee }: Typed,
  t: (text: 'typeName' | 'typeRedirect' | 'chooseScope' | 'typeFee') => string,
): string | null {
  if (name.trim().length < 3) return t('typeName');
  if (wordsOf(redirects).length === 0) return t('typeRedirect');
  if (chosen.size === 0) return t('chooseScope');
  return /^\d{1,4}$/.test(fee) ? null : t('typeFee');
}

function wordsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}
