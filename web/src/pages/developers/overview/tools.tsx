// The way to the reference and to what generators read.
import { Card } from '../../../components/card.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { overviewTexts } from './texts.ts';

const links = [
  { href: '/docs/', text: 'calls' },
  { href: '/docs/streams', text: 'streamsReference' },
  { href: '/openapi.json', text: 'openapi' },
  { href: '/asyncapi.json', text: 'asyncapi' },
] as const;

export function Tools() {
  const t = useTexts(overviewTexts);
  return (
    <Card title={t('tools')}>
      <ul className="flex flex-col gap-2">
        {links.map(({ href, text }) => (
          <li key={href}>
            <a href={href} className="text-accent underline underline-offset-2">
              {t(text)}
            </a>
          </li>
        ))}
        <li className="text-muted">{t('sdk')}</li>
      </ul>
    </Card>
  );
}
