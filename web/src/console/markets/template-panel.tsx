// One template: what it says in words and units, its versions, and what can be done with it.
import { labelOf, operatorOperations } from '@sibyl/contract/console';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { dateTime } from '../../format/times.ts';
import { ActButton } from '../acts/act-button.tsx';
import { fieldsOf, type Schema } from '../acts/act-fields.ts';
import { SaidFields } from '../acts/said-fields.tsx';
import { useLane } from '../lane.tsx';
import { useAsk } from '../use-ask.ts';
import { MakeMarket, type Template } from './make-market.tsx';
import { PublishTemplate } from './publish-template.tsx';

interface Props {
  readonly template: Template;
  readonly known: readonly Template[];
  readonly onClose: () => void;
}

const PATH = 'template.';
const SHOWN_ELSEWHERE: ReadonlySet<string> = new Set(['id', 'name', 'version', 'params_schema']);

/** As the form asks for them, without the record around all of them. */
const fields = fieldsOf(operatorOperations.publishTemplate)
  .map((field) => ({ ...field, name: field.name.slice(PATH.length), group: field.group.slice(1) }))
  .filter(({ name }) => !SHOWN_ELSEWHERE.has(name));

export function TemplatePanel({ template, known, onClose }: Props) {
  const { id, name, version, status } = template;
  return (
    <Card
      title={name}
      aside={
        <span className="flex items-center gap-1">
          <code className="text-xs break-all">{id}</code>
          <CopyButton text={id} />
          <Button size="small" onClick={onClose}>
            Close
          </Button>
        </span>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="text-muted">
          {`Version ${version}, ${labelOf(status).toLowerCase()}. Existing markets keep the version that they were made from.`}
        </p>
        <SaidFields fields={fields} value={template} />
        <Parameters schema={template.params_schema} />
        <Versions id={id} />
        <span className="flex flex-wrap gap-2">
          {status === 'active' && <MakeMarket template={template} />}
          <PublishTemplate
            label="New version"
            known={known}
            from={{ ...template, version: version + 1 }}
          />
          <PublishTemplate label="Copy" known={known} from={{ ...template, id: '', version: 1 }} />
          {status === 'active' && (
            <ActButton
              act="deprecateTemplate"
              label="Deprecate"
              kind="danger"
              preset={{ template_id: id }}
            />
          )}
        </span>
      </div>
    </Card>
  );
}

/** What a market of the template asks for, as its form names it. */
function Parameters({ schema }: { readonly schema: Schema }) {
  const { createPlatformMarket } = operatorOperations;
  const asked = fieldsOf(createPlatformMarket, { params: schema }).filter(({ name }) =>
    name.startsWith('params.'),
  );
  return (
    <section>
      <h3 className="mb-2 font-semibold">Parameters of a market</h3>
      <ul className="flex flex-col gap-1">
        {asked.map(({ name, label, kind, choices, isRequired }) => (
          <li key={name}>
            {label}{' '}
            <span className="text-muted">
              {[
                choices.length > 0 ? `one of ${choices.join(', ')}` : KINDS[kind],
                ...(isRequired ? [] : ['optional']),
              ].join(', ')}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const KINDS: Readonly<Record<string, string>> = {
  time: 'date and time',
  number: 'whole number',
  decimal: 'number',
  flag: 'yes or no',
  text: 'text',
  long: 'text',
};

function Versions({ id }: { readonly id: string }) {
  const { lane } = useLane();
  const { data } = useAsk('findTemplates', { query: { lane, template_id: id } });
  if (data === undefined || data.templates.length <= 1) return null;
  return (
    <section>
      <h3 className="mb-2 font-semibold">Versions</h3>
      <Table
        label="Versions"
        columns={versionColumns}
        rows={data.templates}
        keyOf={({ version }) => String(version)}
      />
    </section>
  );
}

const versionColumns: readonly Column<Template>[] = [
  { id: 'version', title: 'Version', cell: ({ version }) => version },
  { id: 'name', title: 'Name', cell: ({ name }) => name },
  { id: 'state', title: 'State', cell: ({ status }) => labelOf(status) },
  {
    id: 'published',
    title: 'Published',
    cell: ({ published_at_ms: atMs }) => (atMs === null ? '' : dateTime('en', atMs)),
  },
];
