// What somebody says of themselves.
import type { Profile } from '@sibyl/sdk';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Field } from '../../components/field.tsx';
import { useClient, useWho } from '../../session/use-session.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { CountryField } from './country-field.tsx';
import { ownSecurityTexts } from './security-texts.ts';

export function AboutYou() {
  const t = useTexts(ownSecurityTexts);
  const client = useClient();
  const who = useWho();
  const { data, error } = useQuery({
    queryKey: ['profile', who],
    queryFn: () => client.profile.get(),
  });
  return (
    <Card title={t('aboutYou')}>
      {error !== null && <ErrorNote error={error} />}
      {data !== undefined && <Form profile={data} />}
    </Card>
  );
}

function Form({ profile }: { readonly profile: Profile }) {
  const t = useTexts(ownSecurityTexts);
  const locale = useLocale();
  const client = useClient();
  const [name, setName] = useState(profile.display_name ?? '');
  const [phone, setPhone] = useState(profile.phone ?? '');
  const [wallet, setWallet] = useState(profile.wallet_address ?? '');
  const [country, setCountry] = useState(profile.country ?? '');
  const [error, setError] = useState<unknown>(null);
  const [isSaved, setSaved] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    setSaved(false);
    try {
      await client.profile.update({
        display_name: orNull(name),
        phone: orNull(phone),
        wallet_address: orNull(wallet),
        country: orNull(country),
        language: locale,
      });
      setSaved(true);
    } catch (fault) {
      setError(fault);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className="flex flex-col gap-3" onSubmit={save}>
      <p className="text-muted">{t('aboutText')}</p>
      <Field
        label={t('displayName')}
        autoComplete="nickname"
        maxLength={64}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <CountryField value={country} onChoose={setCountry} />
      <Field
        label={t('phone')}
        hint={t('phoneHint')}
        type="tel"
        autoComplete="tel"
        value={phone}
        onChange={(event) => setPhone(event.target.value)}
      />
      <Field
        label={t('wallet')}
        maxLength={42}
        hint={t('walletHint')}
        value={wallet}
        onChange={(event) => setWallet(event.target.value)}
      />
      {error !== null && <ErrorNote error={error} />}
      {isSaved && (
        <p role="status" className="text-gain">
          {t('saved')}
        </p>
      )}
      <span>
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {t('save')}
        </Button>
      </span>
    </form>
  );
}

function orNull(text: string): string | null {
  const trimmed = text.trim();
  return trimmed === '' ? null : trimmed;
}
