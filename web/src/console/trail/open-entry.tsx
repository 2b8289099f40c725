// One entry of the audit log: the sentence, what exactly was said, the record it is about, and its seal.
import { CodeBlock } from '../../components/code-block.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { dateTime } from '../../format/times.ts';
import { Facts } from '../acts/facts.tsx';
import { useLane } from '../lane.tsx';
import { type Entry, inputOf, outcomeOf, sentenceOf } from './entry-words.ts';

interface Props {
  readonly entry: Entry;
  readonly nameOf: (id: string) => string;
}

export function OpenEntry({ entry, nameOf }: Props) {
  const { outcome, reason } = entry;
  const words = outcomeOf(outcome).words;
  return (
    <div className="flex flex-col gap-4">
      <p className="font-semibold wrap-anywhere">{sentenceOf(entry, nameOf)}</p>
      <p className="text-muted">
        {dateTime('en', entry.acted_at_ms)}, {words}
        {words === 'refused' && ` (${outcome})`}
      </p>
      {reason !== null && <p className="wrap-anywhere">Reason: {reason}</p>}
      <RecordLink entry={entry} />
      <Facts of={inputOf(entry)} />
      <details>
        <summary className="text-muted">The entry with its hash</summary>
        <div className="mt-2">
          <CodeBlock label={entry.operation} text={JSON.stringify(entry, null, 2)} isWrapped />
        </div>
      </details>
    </div>
  );
}

const PAGES: Readonly<Record<string, string>> = {
  market_id: 'markets',
  account_id: 'accounts',
  user_id: 'accounts',
  key_id: 'accounts',
  withdrawal_id: 'withdrawals',
  app_id: 'builders',
};

function RecordLink({ entry }: { readonly entry: Entry }) {
  const shown = useLane().lane;
  const input = inputOf(entry);
  const name = Object.keys(PAGES).find((known) => typeof input[known] === 'string');
  if (name === undefined) return null;
  const id = String(input[name]);
  return (
    <PageLink to={`/${entry.lane ?? shown}/${PAGES[name]}/${id}`} className="underline">
      Open {id}
    </PageLink>
  );
}
