// What is typed into or chosen from.
import { useState } from 'react';
import { Card } from '../../components/card.tsx';
import { CheckBox } from '../../components/check-box.tsx';
import { Field } from '../../components/field.tsx';
import { FieldFrame } from '../../components/field-frame.tsx';
import { LongField } from '../../components/long-field.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { Select } from '../../components/select.tsx';
import { Row } from './row.tsx';

export function Inputs() {
  const [side, setSide] = useState('buy');
  const [sort, setSort] = useState('volume');
  const [size, setSize] = useState('25');
  const [isWanted, setWanted] = useState(true);
  return (
    <Card title="Inputs">
      <div className="flex flex-col gap-3">
        <Row>
          <Field label="Shares" value={size} onChange={(event) => setSize(event.target.value)} />
          <Field
            label="Price"
            suffix="¢"
            defaultValue="53.45"
            fault="A tick is 0.1¢: 53.4 or 53.5."
          />
          <Field label="Name" placeholder="Nothing yet" hint="What others see." />
        </Row>
        <Row>
          <LongField label="Reason" placeholder="Nothing yet" hint="Kept with what was done." />
          <LongField label="Body" defaultValue={'{"size": "ten"}'} isCode fault="Not a number." />
          <FieldFrame label="Day" hint="Any other input, in the same frame.">
            {(tied) => (
              <input type="date" className="rounded-md border border-line px-3 py-2" {...tied} />
            )}
          </FieldFrame>
        </Row>
        <Row>
          <Segmented
            label="Side"
            value={side}
            onChoose={setSide}
            choices={[
              { value: 'buy', label: 'Buy' },
              { value: 'sell', label: 'Sell' },
            ]}
          />
          <Select
            label="Sort"
            value={sort}
            onChoose={setSort}
            choices={[
              { value: 'volume', label: 'Volume' },
              { value: 'closes_at', label: 'Closing soon' },
            ]}
          />
          <CheckBox
            label="Told by mail"
            hint="At most once a day."
            isChecked={isWanted}
            onToggle={setWanted}
          />
        </Row>
      </div>
    </Card>
  );
}
