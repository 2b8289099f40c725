// What is pressed, and what pressing opens.
import { SibylConnectionError } from '@sibyl/sdk';
import { useState } from 'react';
import { Button, type ButtonKind } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { CsvButton } from '../../components/csv-button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Icon } from '../../components/icon.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { Kbd } from '../../components/kbd.tsx';
import { Menu } from '../../components/menu.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { useNote } from '../../components/toasts.tsx';
import { WatchButton } from '../../components/watch-button.tsx';
import { Row } from './row.tsx';

const kinds: readonly ButtonKind[] = ['primary', 'plain', 'quiet', 'gain', 'loss', 'danger'];

async function* fewCells(): AsyncGenerator<string[][]> {
  yield [['1'], ['=1']];
}

const menuItems = [{ id: 'one', label: 'One', onSelect: () => undefined }];

/** Shows how a refusal looks. */
function refuse(): Promise<never> {
  return Promise.reject(new SibylConnectionError('lost', null, null));
}

export function Buttons() {
  const note = useNote();
  const [isOpen, setOpen] = useState(false);
  const [isAsking, setAsking] = useState(false);
  return (
    <Card title="Buttons">
      <div className="flex flex-col gap-3">
        {([null, 'The market is halted.'] as const).map((refusal) => (
          <Row key={refusal ?? ''}>
            {kinds.map((kind) => (
              <Button key={kind} kind={kind} refusal={refusal}>
                {kind}
              </Button>
            ))}
          </Row>
        ))}
        <Row>
          <Button size="small">small</Button>
          <Button size="large">large</Button>
          <Button isBusy>busy</Button>
          <CopyButton text="req_1" />
          <CsvButton name="rows" header={['row']} rows={fewCells} />
          <Button onClick={() => note('Order filled', '25 Yes at 53.4¢')}>note</Button>
          <Button onClick={() => setOpen(true)}>dialog</Button>
          <Button onClick={() => setAsking(true)}>confirm</Button>
          <Kbd>/</Kbd>
        </Row>
        <Row>
          <IconButton label="Share">
            <Icon name="share" />
          </IconButton>
          <IconButton label="Share, pressed" aria-pressed="true">
            <Icon name="share" isFilled />
          </IconButton>
          <WatchButton marketId="m_0000000000000000" />
          <Menu label="Menu" trigger="menu" head="Head" items={menuItems} />
          <PageLink to="/" className="flex h-9 items-center text-accent underline">
            A link
          </PageLink>
        </Row>
        <Dialog title="A dialog" isOpen={isOpen} onClose={() => setOpen(false)}>
          <p>What must be dealt with first.</p>
        </Dialog>
        {isAsking && (
          <Confirm
            title="Cancel three orders?"
            action="Cancel them"
            onConfirm={refuse}
            onClose={() => setAsking(false)}
          >
            <p>What comes of it.</p>
          </Confirm>
        )}
      </div>
    </Card>
  );
}
