// The passkeys of the account: named, removed, and one more.
import type { Passkey } from '@sibyl/sdk';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { dateTime } from '../../format/times.ts';
import { hasPasskeys, isChangeOfMind, makePasskey } from '../../session/passkeys.ts';
import { useClient } from '../../session/use-session.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { ownSecurityTexts } from './security-texts.ts';

type Act = (work: () => Promise<unknown>) => Promise<void>;

interface Props {
  readonly passkeys: readonly Passkey[];
  readonly onCodes: (codes: readonly string[]) => void;
  readonly act: Act;
}

export function PasskeyList({ passkeys, onCodes, act }: Props) {
  const t = useTexts(ownSecurityTexts);
  const client = useClient();
  const add = (): Promise<void> =>
    act(async () => {
      const response = await makePasskey(client).catch((error: unknown) => {
        if (isChangeOfMind(error)) return null;
        throw error;
      });
      if (response === null) return;
      const added = await client.passkeys.add({ label: t('newPasskey'), response });
      if (added.recovery_codes.length > 0) onCodes(added.recovery_codes);
    });
  return (
    <section className="flex flex-col gap-2" aria-label={t('passkeys')}>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span>
          {t('passkeys')}: {passkeys.length === 0 ? t('off') : passkeys.length}
        </span>
        {hasPasskeys() && <Button onClick={add}>{t('addPasskey')}</Button>}
      </div>
      {passkeys.length > 0 && (
        <ul className="flex flex-col gap-2">
          {passkeys.map((passkey) => (
            <PasskeyEntry key={passkey.passkey_id} passkey={passkey} act={act} />
          ))}
        </ul>
      )}
    </section>
  );
}

function PasskeyEntry({ passkey, act }: { readonly passkey: Passkey; readonly act: Act }) {
  const t = useTexts(ownSecurityTexts);
  const locale = useLocale();
  const client = useClient();
  const [name, setName] = useState<string | null>(null);
  const { passkey_id: id, label, last_used_at_ms: usedMs } = passkey;
  const save = (): Promise<void> =>
    act(async () => {
      await client.passkeys.rename(id, { label: name ?? label });
      setName(null);
    });
  return (
    <li className="flex flex-wrap items-end justify-between gap-2 rounded-md bg-page p-3">
      {name === null ? (
        <span className="min-w-0">
          <bdi className="font-semibold break-words">{label}</bdi>{' '}
          <span className="text-muted">
            {usedMs === null ? t('neverUsed') : t('lastUsed', { when: dateTime(locale, usedMs) })}
          </span>
        </span>
      ) : (
        <Field
          label={t('passkeyName')}
          maxLength={64}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      )}
      <span className="flex gap-2">
        {name === null ? (
          <Button onClick={() => setName(label)}>{t('rename')}</Button>
        ) : (
          <Button kind="primary" onClick={save}>
            {t('save')}
          </Button>
        )}
        <Button onClick={() => act(() => client.passkeys.remove(id))}>{t('remove')}</Button>
      </span>
    </li>
  );
}
