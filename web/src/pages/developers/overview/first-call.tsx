// A first call with a key, ready to be pasted: by curl or with the SDK.
import { useState } from 'react';
import { CodeBlock } from '../../../components/code-block.tsx';
import { Segmented } from '../../../components/segmented.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { sandboxUrl } from '../sandbox.ts';
import { overviewTexts } from './texts.ts';

const choices = [
  { value: 'curl', label: 'curl' },
  { value: 'sdk', label: 'TypeScript' },
] as const;

export function FirstCall({ token }: { readonly token: string }) {
  const t = useTexts(overviewTexts);
  const [way, setWay] = useState<'curl' | 'sdk'>('curl');
  return (
    <div className="flex w-full min-w-0 flex-col gap-2">
      <Segmented label={t('firstCall')} value={way} choices={choices} onChoose={setWay} />
      <CodeBlock label={t('firstCall')} text={way === 'curl' ? byCurl(token) : bySdk(token)} />
    </div>
  );
}

function byCurl(token: string): string {
  return `curl ${sandboxUrl}/v1/account \\\n  -H "Authorization: Bearer ${token}"`;
}

function bySdk(token: string): string {
  const shown = token.startsWith('$') ? 'process.env.KEY' : `'${token}'`;
  return `import { createClient } from '@sibyl/sdk';

const client = createClient({
  baseUrl: '${sandboxUrl}',
  token: ${shown},
});
const { items: [market] } = await client.markets.list({ status: 'active' });
await client.orders.place({
  market_id: market.market_id,
  outcome_id: market.outcomes[0].id,
  side: 'buy',
  order_type: 'market',
  size: '5',
});`;
}
