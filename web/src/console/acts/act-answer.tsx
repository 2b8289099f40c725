// What came of an act: done, or waiting for a second operator, said plainly.
import {
  type AnyOperation,
  type ApprovalRequest,
  labelOf,
  whoMayAct,
} from '@sibyl/contract/console';
import { CodeBlock } from '../../components/code-block.tsx';
import { Icon } from '../../components/icon.tsx';
import { dateTime } from '../../format/times.ts';
import { LaneLink } from '../lane-link.tsx';
import { phraseFor } from './act-words.ts';
import { past, type Said } from './said.ts';

interface Props {
  readonly operation: AnyOperation;
  readonly answer: unknown;
  readonly said: Said;
}

export function ActAnswer({ operation, answer, said }: Props) {
  if (isApproval(answer) && answer.state === 'waiting') return <Waiting approval={answer} />;
  if (isApproval(answer) && answer.state === 'failed') return <Failed approval={answer} />;
  const result = isApproval(answer) ? answer.outcome?.data : answer;
  return (
    <div className="flex flex-col gap-4">
      <p role="status" className="flex items-center gap-2 font-semibold text-gain">
        <Icon name="check" />
        {doneWords(operation, answer, said)}
      </p>
      {isMailed(result) && <p>The link was mailed to the user: nobody else sees it.</p>}
      {operation.bearsSecrets && !isMailed(result) && <ShownOnce answer={result} />}
      <details>
        <summary className="text-muted">The answer of the exchange</summary>
        <div className="mt-2">
          <CodeBlock
            label={operation.id}
            text={JSON.stringify(operation.bearsSecrets ? withoutSecrets(answer) : answer, null, 2)}
          />
        </div>
      </details>
    </div>
  );
}

function doneWords({ id }: AnyOperation, answer: unknown, said: Said): string {
  if (!isApproval(answer)) return `You ${past(phraseFor(id, said))}.`;
  if (answer.state === 'done') return 'Agreed, and carried out.';
  return answer.state === 'withdrawn' ? 'Withdrawn.' : 'Rejected.';
}

function Waiting({ approval }: { readonly approval: ApprovalRequest }) {
  const { role, expires_at_ms: expiresAtMs, confirmable_at_ms: aloneAtMs } = approval;
  return (
    <div role="status" className="flex flex-col gap-2 rounded-md bg-warn-soft p-3 text-warn">
      <p className="flex items-center gap-2 font-semibold">
        <Icon name="warn" />
        Nothing has been done yet: this waits for a second operator.
      </p>
      <p>
        Somebody else ({whoMayAct(role)}) has to agree by {dateTime('en', expiresAtMs)}.
      </p>
      {aloneAtMs !== null && (
        <p>
          There is nobody else who could: you may confirm it alone from {dateTime('en', aloneAtMs)},
          24 hours after it was asked for.
        </p>
      )}
      <p>
        It is in the{' '}
        <LaneLink to="/queues" hash="approval" className="underline">
          queue of approvals
        </LaneLink>
        : <code className="break-all">{approval.approval_id}</code>
      </p>
    </div>
  );
}

function Failed({ approval }: { readonly approval: ApprovalRequest }) {
  const { code, message } = approval.outcome ?? {};
  return (
    <p role="alert" className="rounded-md bg-loss-soft p-3 text-loss">
      It was agreed to, and refused when it was carried out: {String(message ?? code)}
    </p>
  );
}

/** Under which names an answer has what nobody is shown again. */
const SECRETS = ['password', 'url', 'secret', 'uri', 'recovery_codes'] as const;

function ShownOnce({ answer }: { readonly answer: unknown }) {
  const secrets = Object.entries(Object(answer)).filter(([name]) => isSecret(name));
  if (secrets.length === 0) return null;
  return (
    <div className="flex flex-col gap-2">
      <p>This is shown once: hand it over.</p>
      {secrets.map(([name, secret]) => (
        <CodeBlock key={name} label={labelOf(name)} text={wordsOf(secret)} isWrapped />
      ))}
    </div>
  );
}

function wordsOf(secret: unknown): string {
  return Array.isArray(secret) ? secret.join('\n') : String(secret);
}

function withoutSecrets(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  // The result of an act that this operator has just approved is shown above, once.
  if (isApproval(answer))
    return { ...answer, outcome: { data: withoutSecrets(answer.outcome?.data) } };
  return Object.fromEntries(Object.entries(answer).filter(([name]) => !isSecret(name)));
}

function isSecret(name: string): boolean {
  return SECRETS.some((known) => known === name);
}

/** A link that its user alone was sent. */
function isMailed(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && Object(answer).url === null;
}

function isApproval(answer: unknown): answer is ApprovalRequest {
  return typeof answer === 'object' && answer !== null && 'confirmable_at' in answer;
}
