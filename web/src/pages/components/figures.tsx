// Prices, changes and sums.
import { Amount } from '../../components/amount.tsx';
import { Card } from '../../components/card.tsx';
import { Change } from '../../components/change.tsx';
import { Figure } from '../../components/figure.tsx';
import { Meter } from '../../components/meter.tsx';
import { Probability } from '../../components/probability.tsx';
import { Profit } from '../../components/profit.tsx';
import { Sparkline } from '../../components/sparkline.tsx';
import { Row } from './row.tsx';

const prices = ['0.41', '0.44', '0.43', '0.48', '0.52', '0.51', '0.534'];

export function Figures() {
  return (
    <Card title="Figures">
      <div className="flex flex-col gap-3">
        <Row>
          <Probability price="0.534" size="large" />
          <Probability price="0.534" />
          <Probability price="0.534" size="small" />
          <Change change="0.021" />
          <Change change="-0.034" />
          <Change change="0" />
          <Change change="-0.0004" />
          <Sparkline prices={prices} change="0.02" />
          <Sparkline prices={prices.toReversed()} change="-0.02" />
          <Sparkline prices={[]} change="0" />
        </Row>
        <dl className="grid grid-cols-3 gap-3">
          <Figure label="Volume">12,430</Figure>
          <Figure label="Cost">
            <Amount amount="12.345678" />
          </Figure>
          <Figure label="Cash flow">
            <Amount amount="3.5" isSigned />
          </Figure>
          <Figure label="Profit">
            <Profit amount="12.4" />
          </Figure>
          <Figure label="Loss">
            <Profit amount="-3.14" />
          </Figure>
        </dl>
        <Meter label="Per day" share={0.4} used="40.00" most="100.00" />
        <Meter label="Per day" share={0.85} used="85.00" most="100.00" />
        <Meter label="Per day" share={1} used="100.00" most="100.00" />
      </div>
    </Card>
  );
}
