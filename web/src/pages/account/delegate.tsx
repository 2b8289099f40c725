// Lets a partner act with keys of its own: to whom, what, how much in a day and for how long.
import { useState } from 'react';
import { CheckBox } from '../../components/check-box.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { Field } from '../../components/field.tsx';
import { Segmented } from '../../components/segmented.tsx';
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
  const [scopes, setScopes] = useState<readonly string[]>(['account:read']);
  const [cap, setCap] = useState('');
  const [days, setDays] = useState<(typeof DAYS)[number]>('7');
  const give = async (): Promise<void> => {
    await client.connect.grant({
      kind: 'delegation',
      partner_id: partner.trim(),
      scopes: SCOPES.filter((scope) => scopes.includes(scope)),
      expires_at_ms: Date.now() + Number(days) * DAY_MS,
      ...(cap.trim() === '' ? {} : { daily_cap: cap.trim() }),
    });
    await onGiven();
  };
  return (
    <Confirm title={t('title')} action={t('give')} onConfirm={give} onClose={onClose}>
      <p>{t(lane === 'live' ? 'aboutLive' : 'aboutSandbox')}</p>
      <Field
        label={t('partner')}
        hint={t('partnerHint')}
        placeholder="usr_…"
        value={partner}
        onChange={(event) => setPartner(event.target.value)}
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
      <Segmented
        label={t('days')}
        value={days}
        choices={DAYS.map((value) => ({ value, label: t('forDays', { count: Number(value) }) }))}
        onChoose={setDays}
      />
      <p className="text-xs text-muted">{t('ends')}</p>
    </Confirm>
  );
}
