// Moves money between the person's own account and its subaccounts.
import type { Subaccount } from '@sibyl/sdk';
import { type FormEvent, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Field } from '../../components/field.tsx';
import { Select } from '../../components/select.tsx';
import { useWork } from '../../components/use-work.ts';
import { exactMoney } from '../../format/amounts.ts';
import { amountFault, readAmount } from '../../format/typed-number.ts';
import { useAccount } from '../../live/account-provider.tsx';
import { useClient } from '../../session/use-session.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { subaccountTexts } from './texts.ts';

interface Props {
  readonly list: readonly Subaccount[];
  readonly onMoved: () => Promise<unknown>;
}

export function Transfer({ list, onMoved }: Props) {
  const t = useTexts(subaccountTexts);
  const locale = useLocale();
  const client = useClient();
  const ownId = useAccount()?.account.account_id ?? '';
  const first = list[0]?.subaccount_id ?? '';
  const [chosen, setChosen] = useState({ from: '', to: '' });
  const [amount, setAmount] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [done, setDone] = useState<string | null>(null);
  const { isBusy, error, run } = useWork();
  const choices = [
    { value: ownId, label: t('own') },
    ...list.map(({ subaccount_id: value, label }) => ({ value, label })),
  ];
  // One that was closed meanwhile is no choice any more.
  const known = (id: string, other: string): string =>
    choices.some(({ value }) => value === id) ? id : other;
  const from = known(chosen.from, ownId);
  const to = known(chosen.to, first);
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setDone(null);
    const read = readAmount(locale, amount);
    setFault(read === null ? amountFault(locale) : null);
    if (read === null) return;
    await run(async () => {
      const moved = await client.subaccounts.transfer({ from, to, amount: read });
      setAmount('');
      setDone(t('moved', { amount: `${exactMoney(locale, moved.amount)} ${moved.asset}` }));
      await onMoved();
    });
  };
  return (
    <Card title={t('transfer')}>
      <form onSubmit={send} className="flex flex-wrap items-end gap-4">
        <Select
          label={t('from')}
          value={from}
          choices={choices}
          onChoose={(value) => setChosen({ from: value, to })}
        />
        <span aria-hidden="true" className="self-center text-muted">
          →
        </span>
        <Select
          label={t('to')}
          value={to}
          choices={choices}
          onChoose={(value) => setChosen({ from, to: value })}
        />
        <Field
          label={t('amount')}
          inputMode="decimal"
          required
          value={amount}
          fault={fault}
          onChange={(event) => setAmount(event.target.value)}
        />
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {t('move')}
        </Button>
      </form>
      {error !== null && <ErrorNote error={error} />}
      {done !== null && (
        <p role="status" className="mt-3 rounded-md bg-gain-soft p-3 text-gain">
          {done}
        </p>
      )}
    </Card>
  );
}
