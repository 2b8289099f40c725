// What a new key may do, and until when.
import type { MintedKey } from '@sibyl/sdk';
import { type FormEvent, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { CheckBox } from '../../../components/check-box.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { ErrorNote } from '../../../components/error-note.tsx';
import { Field } from '../../../components/field.tsx';
import { Select } from '../../../components/select.tsx';
import { lane } from '../../../lane.ts';
import { useClient } from '../../../session/use-session.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { noteRate } from '../rates.ts';
import { keyTexts } from './texts.ts';

interface Props {
  readonly onMinted: (key: MintedKey) => Promise<void>;
  readonly onClose: () => void;
}

const permissions = [
  { name: 'read', text: 'read', says: 'readSays' },
  { name: 'trade', text: 'trade', says: 'tradeSays' },
  { name: 'withdraw', text: 'withdraw', says: 'withdrawSays' },
] as const;
type Permission = (typeof permissions)[number]['name'];

const DAY_MS = 86_400_000;
const lifetimes = ['never', '7', '30', '90', '365'] as const;

export function MintDialog({ onMinted, onClose }: Props) {
  const t = useTexts(keyTexts);
  const client = useClient();
  const [label, setLabel] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<Permission>>(new Set(['read']));
  const [lifetime, setLifetime] = useState<(typeof lifetimes)[number]>('never');
  const [addresses, setAddresses] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);

  const mint = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      const expiry =
        lifetime === 'never' ? {} : { expires_at_ms: Date.now() + Number(lifetime) * DAY_MS };
      const networks = addresses.split(/[\s,;]+/).filter((text) => text !== '');
      const places = networks.length === 0 ? {} : { allowed_addresses: networks };
      const body = { label: label.trim(), permissions: [...chosen], ...expiry, ...places };
      await onMinted(await client.keys.mint(body, { onAnswer: noteRate }));
    } catch (fault) {
      setError(fault);
      setBusy(false);
    }
  };

  return (
    <Dialog title={t('mint')} isOpen onClose={onClose}>
      <form className="flex flex-col gap-4" onSubmit={mint}>
        <Field
          label={t('label')}
          hint={t('labelHint')}
          maxLength={64}
          value={label}
          onChange={(event) => setLabel(event.target.value)}
        />
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1 text-xs text-muted">{t('permissions')}</legend>
          {permissions.map(({ name, text, says }) => (
            <CheckBox
              key={name}
              label={t(text)}
              hint={t(says)}
              isChecked={chosen.has(name)}
              onToggle={(isChecked) => setChosen(toggled(chosen, name, isChecked))}
            />
          ))}
        </fieldset>
        <div className="flex flex-col items-start gap-1">
          <span className="text-xs text-muted">{t('expiry')}</span>
          <Select
            label={t('expiry')}
            value={lifetime}
            choices={lifetimes.map((value) => ({
              value,
              label: value === 'never' ? t('noExpiry') : t('days', { days: Number(value) }),
            }))}
            onChoose={setLifetime}
          />
        </div>
        <Field
          label={t('addresses')}
          hint={t('addressesHint')}
          value={addresses}
          onChange={(event) => setAddresses(event.target.value)}
        />
        {error !== null && <ErrorNote error={error} />}
        <Button
          kind="primary"
          size="large"
          type="submit"
          isWide
          isBusy={isBusy}
          refusal={chosen.size === 0 ? t('choosePermission') : null}
        >
          {t('mintLane', { lane: t(lane) })}
        </Button>
      </form>
    </Dialog>
  );
}

function toggled<Value>(set: ReadonlySet<Value>, value: Value, isIn: boolean): ReadonlySet<Value> {
  const next = new Set(set);
  if (isIn) next.add(value);
  else next.delete(value);
  return next;
}
