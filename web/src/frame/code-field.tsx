// One field for what an authenticator shows and for a recovery code: they are told apart by their form.
import { Field } from '../components/field.tsx';
import type { LoginProof } from '../session/session-store.ts';
import { useTexts } from '../texts/use-texts.ts';
import { securityTexts } from './security-texts.ts';

interface Props {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function CodeField({ value, onChange }: Props) {
  const t = useTexts(securityTexts);
  return (
    <Field
      label={t('code')}
      hint={t('codeHint')}
      name="code"
      autoComplete="one-time-code"
      required
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

export function proofOf(text: string): LoginProof {
  const code = text.replaceAll(/\s/g, '');
  return code.includes('-') ? { recovery_code: code } : { otp: code };
}
