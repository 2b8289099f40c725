// What is wrong with a link or a letter, in words of these pages where they know more than the code says.
import { NotFoundError, ServiceUnavailableError } from '@sibyl/sdk';
import { ErrorNote } from '../../components/error-note.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { recoveryTexts } from './texts.ts';

export function LinkFault({ error }: { readonly error: unknown }) {
  const t = useTexts(recoveryTexts);
  const words =
    error instanceof NotFoundError
      ? t('linkOver')
      : error instanceof ServiceUnavailableError && error.details.reason === 'no_mail'
        ? t('noMail')
        : null;
  if (words === null) return <ErrorNote error={error} />;
  return (
    <p role="alert" className="rounded-md bg-loss-soft p-3 text-loss">
      {words}
    </p>
  );
}

/** What stands behind the # of the address: browsers send it to nobody. */
export function linkToken(): string {
  return location.hash.slice(1);
}
