// How to reach the operator: as a link, or in words where the operator named no address.
import { operatorContact } from '../help.ts';
import { useTexts } from '../texts/use-texts.ts';
import { componentTexts } from './texts.ts';

export function ContactLink() {
  const t = useTexts(componentTexts);
  if (operatorContact === null) return <p>{t('noContact')}</p>;
  const isPage = operatorContact.startsWith('https://');
  return (
    <p>
      {t('contact')}{' '}
      <a
        href={isPage ? operatorContact : `mailto:${operatorContact}`}
        className="font-semibold break-all text-accent underline underline-offset-2"
      >
        {operatorContact}
      </a>
    </p>
  );
}
