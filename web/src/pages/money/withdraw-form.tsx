// Asks for money out: how much and where to, and once more before it goes.
import type { Destination } from '@sibyl/sdk';
import { type ComponentProps, type FormEvent, type ReactNode, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { Field } from '../../components/field.tsx';
import { Select } from '../../components/select.tsx';
import { exactMoney } from '../../format/amounts.ts';
import { amountFault, asTyped, readAmount } from '../../format/typed-number.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { useStateWords } from './state-words.ts';
import { moneyTexts } from './texts.ts';
import type { KnownDestinations } from './use-destinations.ts';
import { type Source, useSources } from './use-sources.ts';
import { useWithdraw, type Withdraw } from './use-withdraw.ts';

interface Asked {
  readonly amount: string;
  readonly source: Source;
  readonly destination: Destination;
}

/** No subaccount has it for an id. */
const OWN = 'own';
const idOf = ({ subaccountId }: Source): string => subaccountId ?? OWN;

export function WithdrawForm({ destinations }: { readonly destinations: KnownDestinations }) {
  const t = useTexts(moneyTexts);
  const locale = useLocale();
  const sources = useSources();
  const [from, setFrom] = useState(OWN);
  const [amount, setAmount] = useState('');
  const [chosen, setChosen] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [done, setDone] = useState<string | null>(null);
  const withdraw = useWithdraw();
  const usable = (destinations.list ?? []).filter(({ is_usable: isUsable }) => isUsable);
  // What was closed or removed meanwhile is no choice any more.
  const source = sources.find((each) => idOf(each) === from) ?? sources[0];
  const destination = usable.find(({ destination_id: id }) => id === chosen) ?? usable[0];
  const ask = (event: FormEvent): void => {
    event.preventDefault();
    setDone(null);
    const read = readAmount(locale, amount);
    setFault(read === null ? amountFault(locale) : null);
    if (read !== null && destination !== undefined) {
      setAsked({ amount: read, source, destination });
    }
  };
  return (
    <Card title={t('withdraw')}>
      <form onSubmit={ask} className="flex flex-col gap-4">
        {destinations.isPaidByHand && <p className="text-muted">{t('paidByHand')}</p>}
        {sources.length > 1 && (
          <Choose
            label={t('from')}
            value={idOf(source)}
            choices={sources.map((each) => ({ value: idOf(each), label: each.label }))}
            onChoose={setFrom}
          />
        )}
        <AmountField
          free={source.free}
          least={destinations.least}
          value={amount}
          fault={fault}
          onType={setAmount}
        />
        {destination !== undefined && (
          <Choose
            label={t('to')}
            value={destination.destination_id}
            choices={usable.map(({ destination_id: value, label }) => ({ value, label }))}
            onChoose={setChosen}
          />
        )}
        <Button
          kind="primary"
          type="submit"
          isWide
          refusal={destination === undefined && destinations.list !== null ? t('noneUsable') : null}
        >
          {t('withdrawIn')}
        </Button>
      </form>
      {done !== null && (
        <p role="status" className="mt-3 rounded-md bg-gain-soft p-3 text-gain">
          {done}
        </p>
      )}
      {asked !== null && (
        <Question
          asked={asked}
          isPaidByHand={destinations.isPaidByHand}
          withdraw={withdraw}
          onDone={(words) => {
            setAmount('');
            setDone(words);
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </Card>
  );
}

interface AmountProps {
  /** Of what it is taken from; null until that is known. */
  readonly free: string | null;
  readonly least: string | null;
  readonly value: string;
  readonly fault: string | null;
  readonly onType: (text: string) => void;
}

function AmountField({ free, least, value, fault, onType }: AmountProps) {
  const t = useTexts(moneyTexts);
  const locale = useLocale();
  const hintOf = (shown: string): string => {
    if (least === null) return t('amountHint', { free: shown });
    return t('amountLeast', { free: shown, least: exactMoney(locale, least) });
  };
  return (
    <Field
      label={t('amount')}
      inputMode="decimal"
      required
      value={value}
      fault={fault}
      suffix={
        free !== null && (
          <Button size="small" kind="quiet" onClick={() => onType(asTyped(locale, free))}>
            {t('all')}
          </Button>
        )
      }
      {...(free !== null && { hint: hintOf(exactMoney(locale, free)) })}
      onChange={(event) => onType(event.target.value)}
    />
  );
}

/** With its name above it. */
function Choose(props: ComponentProps<typeof Select<string>>) {
  return (
    <div className="flex min-w-0 flex-col items-start gap-1">
      <span className="text-xs text-muted">{props.label}</span>
      <Select {...props} />
    </div>
  );
}

interface QuestionProps {
  readonly asked: Asked;
  readonly isPaidByHand: boolean;
  readonly withdraw: Withdraw;
  readonly onDone: (words: string) => void;
  readonly onClose: () => void;
}

function Question({ asked, isPaidByHand, withdraw, onDone, onClose }: QuestionProps) {
  const t = useTexts(moneyTexts);
  const locale = useLocale();
  const inWords = useStateWords(isPaidByHand);
  const { amount, source, destination } = asked;
  const shown = `${exactMoney(locale, amount)} USDT`;
  const send = async (): Promise<void> => {
    const { subaccountId } = source;
    const made = await withdraw({
      destinationId: destination.destination_id,
      amount,
      subaccountId,
    });
    const taken = `${exactMoney(locale, made.amount)} ${made.asset}`;
    onDone(t('asked', { amount: taken, state: inWords(made) }));
  };
  return (
    <Confirm
      title={t('withdrawAmount', { amount: shown })}
      action={t('withdrawIn')}
      isDangerous={false}
      onConfirm={send}
      onClose={onClose}
    >
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2">
        {source.subaccountId !== null && (
          <Term label={t('from')}>
            <bdi>{source.label}</bdi>
          </Term>
        )}
        <Term label={t('to')}>
          <bdi className="font-semibold">{destination.label}</bdi>
          <br />
          {destination.destination}
        </Term>
        <Term label={t('fee')}>{t('noFee')}</Term>
        <Term label={t('arrives')}>{shown}</Term>
      </dl>
      <p className="text-muted">{t('withdrawText')}</p>
      {isPaidByHand && <p className="text-muted">{t('paidByHand')}</p>}
    </Confirm>
  );
}

function Term({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{label}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </>
  );
}
