// Lets a partner act with keys of its own: to whom, what, how much in a day and for how long.
import { SibylError } from '@sibyl/sdk';
import { useState } from 'react';
import { CheckBox } from '../../components/check-box.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { Field } from '../../components/field.tsx';
import { Select } from '../../components/select.tsx';
import { lane } from '../../lane.ts';
import { useClient } from '../../session/use-session.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { connectedAppsTexts } from './connected-apps-texts.ts';
import { delegateTexts } from './delegate-texts.ts';

const SCOPES = ['account:read', 'orders:trade', 'positions:convert'] as const;
const DAYS = ['1', '7', '30', '90', '365'] as const;
const DAY_MS = 86_400_000;

interface Props {
  readonly onGiven: () => Promise<unknown>;
  readonly onClose: () => void;
}

export function Delegate({ onGiven, onClose }: Props) {
  const t = useTexts(delegateTexts);
  const words = useTexts(connectedAppsTexts);
  const client = useClient();
  const [partner, setPartner] = useState('');
  const [isUnknown, setUnknown] = useState(false);
  const [scopes, setScopes] = useState<readonly string[]>(['account:read']);
  const [cap, setCap] = useState('');
  const [days, setDays] = useState<(typeof DAYS)[number]>('7');
  const give = async (): Promise<void> => {
    const given = client.connect.grant({
      kind: 'delegation',
      partner_id: partner.trim(),
      scopes: SCOPES.filter((scope) => scopes.includes(scope)),
      expires_at_ms: Date.now() + Number(days) * DAY_MS,
      ...(cap.trim() === '' ? {} : { daily_cap: cap.trim() }),
    });
    await given.catch((error: unknown) => {
      setUnknown(isOfPartner(error));
      throw error;
    });
    await onGiven();
  };
  return (
    <Confirm
      title={t('title')}
      action={t('give')}
      onConfirm={give}
      onClose={onClose}
      isTold={isOfPartner}
    >
      <p>{t(lane === 'live' ? 'aboutLive' : 'aboutSandbox')}</p>
      <Field
        label={t('partner')}
        hint={t('partnerHint')}
        placeholder="usr_…"
        fault={isUnknown ? t('noPartner') : null}
        value={partner}
        onChange={(event) => {
          setPartner(event.target.value);
          setUnknown(false);
        }}
      />
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1 text-xs text-muted">{t('may')}</legend>
        {SCOPES.map((scope) => (
          <CheckBox
            key={scope}
            label={words(scope)}
            isChecked={scopes.includes(scope)}
            onToggle={(isChecked) =>
              setScopes(isChecked ? [...scopes, scope] : scopes.filter((one) => one !== scope))
            }
          />
        ))}
      </fieldset>
      <Field
        label={t('cap')}
        hint={t('capHint')}
        inputMode="decimal"
        suffix="USDT"
        value={cap}
        onChange={(event) => setCap(event.target.value)}
      />
      <div className="flex flex-col items-start gap-1">
        <span className="text-xs text-muted">{t('days')}</span>
        <Select
          label={t('days')}
          value={days}
          choices={DAYS.map((value) => ({ value, label: t('forDays', { count: Number(value) }) }))}
          onChoose={setDays}
        />
      </div>
      <p className="text-xs text-muted">{t('ends')}</p>
    </Confirm>
  );
}

/** Nobody of the id, or nobody who may act for others. */
function isOfPartner(error: unknown): boolean {
  if (!(error instanceof SibylError)) return false;
  return error.details.partner_id !== undefined || error.details.field === 'partner_id';
}
