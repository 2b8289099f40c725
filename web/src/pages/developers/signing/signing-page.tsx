// What a signed request looks like: worked out in the browser, to find out where one's own differs.
import { type SignedHeaders, signRequest } from '@sibyl/sdk';
import { useEffect, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Card } from '../../../components/card.tsx';
import { CodeBlock } from '../../../components/code-block.tsx';
import { Field } from '../../../components/field.tsx';
import { LongField } from '../../../components/long-field.tsx';
import { Segmented } from '../../../components/segmented.tsx';
import { basePath } from '../../../lane.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { DevelopersLayout } from '../layout.tsx';
import { signingTexts } from './texts.ts';

interface Typed {
  readonly variant: string;
  readonly keyId: string;
  readonly secret: string;
  readonly passphrase: string;
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly timestamp: string;
  readonly nonce: string;
}

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'];

const fresh = (): Pick<Typed, 'timestamp' | 'nonce'> => ({
  timestamp: String(Math.floor(Date.now() / 1000)),
  nonce: crypto.randomUUID(),
});

const empty = (): Typed => ({
  variant: 'A',
  keyId: '',
  secret: '',
  passphrase: '',
  method: 'GET',
  path: `${basePath}/v1/orders`,
  body: '',
  ...fresh(),
});

export function Page() {
  const t = useTexts(signingTexts);
  const [typed, setTyped] = useState(empty);
  const signed = useSigned(typed);
  const set = (change: Partial<Typed>): void => setTyped((before) => ({ ...before, ...change }));
  const text = (name: keyof Typed, label: string) => (
    <Field
      label={label}
      value={typed[name]}
      onChange={(event) => set({ [name]: event.target.value })}
    />
  );
  return (
    <DevelopersLayout title={t('title')}>
      <p className="text-muted">{t('about')}</p>
      <Card>
        <div className="flex flex-col gap-3">
          <div className="flex flex-wrap gap-3">
            <Segmented
              label={t('variant')}
              value={typed.variant}
              choices={[
                { value: 'A', label: t('variantA') },
                { value: 'B', label: t('variantB') },
              ]}
              onChoose={(variant) => set({ variant })}
            />
            <Segmented
              label={t('method')}
              value={typed.method}
              choices={METHODS.map((value) => ({ value, label: value }))}
              onChoose={(method) => set({ method })}
            />
          </div>
          {text('keyId', t('keyId'))}
          <Field
            label={t('secret')}
            type="password"
            value={typed.secret}
            onChange={(event) => set({ secret: event.target.value })}
          />
          {typed.variant === 'B' && text('passphrase', t('passphrase'))}
          {text('path', t('path'))}
          <LongField
            isCode
            rows={5}
            label={t('body')}
            value={typed.body}
            onChange={(event) => set({ body: event.target.value })}
          />
          {text('timestamp', t('timestamp'))}
          {typed.variant === 'A' && text('nonce', t('nonce'))}
          <Button onClick={() => set(fresh())}>{t('now')}</Button>
        </div>
      </Card>
      {signed !== null && (
        <>
          <CodeBlock isWrapped label={t('canonical')} text={signed.canonical} />
          <CodeBlock isWrapped label={t('hash')} text={signed.canonicalHash} />
          <CodeBlock isWrapped label={t('headers')} text={headerLines(signed)} />
        </>
      )}
    </DevelopersLayout>
  );
}

/** Null until there is something to sign with. */
function useSigned(typed: Typed): SignedHeaders | null {
  const [signed, setSigned] = useState<SignedHeaders | null>(null);
  useEffect(() => {
    if (typed.secret === '') {
      setSigned(null);
      return undefined;
    }
    let isStale = false;
    const { variant, keyId, secret, passphrase, ...request } = typed;
    const credential =
      variant === 'B'
        ? { keyId, secret, passphrase, variant: 'B' as const }
        : { keyId, secret, variant: 'A' as const };
    void signRequest(credential, request).then((made) => {
      if (!isStale) setSigned(made);
    });
    return () => {
      isStale = true;
    };
  }, [typed]);
  return signed;
}

function headerLines({ headers }: SignedHeaders): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name.toUpperCase()}: ${value}`)
    .join('\n');
}
