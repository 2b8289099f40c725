// The seed of an authenticator as a picture and as text, and the first code of it.
import { type FormEvent, useState } from 'react';
import { encode } from 'uqr';
import { useTexts } from '../texts/use-texts.ts';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { ErrorNote } from './error-note.tsx';
import { factorTexts } from './factor-texts.ts';
import { Field } from './field.tsx';
import { useWork } from './use-work.ts';

export interface Seed {
  readonly secret: string;
  readonly uri: string;
}

interface Props {
  readonly seed: Seed;
  /** Gives the recovery codes. */
  readonly confirm: (otp: string) => Promise<readonly string[]>;
  readonly onConfirmed: (recoveryCodes: readonly string[]) => void;
}

export function TotpSetup({ seed, confirm, onConfirmed }: Props) {
  const t = useTexts(factorTexts);
  const [otp, setOtp] = useState('');
  const { isBusy, error, run } = useWork();
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    await run(async () => onConfirmed(await confirm(otp)));
  };
  return (
    <form className="flex flex-col gap-3 rounded-lg border border-line p-4" onSubmit={send}>
      <p>{t('scan')}</p>
      <Picture text={seed.uri} label={t('picture')} />
      <p className="flex flex-wrap items-center gap-1">
        {t('key')}: <code className="break-all">{seed.secret}</code>
        <CopyButton text={seed.secret} />
      </p>
      <Field
        label={t('sixDigits')}
        inputMode="numeric"
        autoComplete="one-time-code"
        pattern="[0-9]{6}"
        required
        value={otp}
        onChange={(event) => setOtp(event.target.value)}
      />
      {error !== null && <ErrorNote error={error} />}
      <span>
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {t('confirm')}
        </Button>
      </span>
    </form>
  );
}

/** Black on white whatever the theme: cameras do not read it otherwise. */
function Picture({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = encode(text, { border: 2 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      className="size-48 rounded-md"
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
