// What says something about a market.
import { Badge, type Tone } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { MarketArt } from '../../components/market-art.tsx';
import { MarketName } from '../../components/market-name.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { TimeLeft } from '../../components/time-left.tsx';
import { Row } from './row.tsx';

const marketStates = ['scheduled', 'active', 'locked', 'settling', 'resolved', 'cancelled'];
const tones: readonly Tone[] = ['neutral', 'accent', 'gain', 'loss', 'warn'];
const ids = ['m_0123456789abcdef', 'm_fedcba9876543210', 'm_00ff00ff00ff00ff'];
const DAY_MS = 86_400_000;

export function Markets() {
  const nowMs = Date.now();
  return (
    <Card title="Markets">
      <div className="flex flex-col gap-3">
        <Row>
          {marketStates.map((status) => (
            <StateBadge key={status} market={{ status, halted: false }} />
          ))}
          <StateBadge market={{ status: 'active', halted: true }} />
        </Row>
        <Row>
          {tones.map((tone) => (
            <Badge key={tone} tone={tone}>
              {tone}
            </Badge>
          ))}
        </Row>
        <Row>
          {ids.map((id) => (
            <MarketArt key={id} marketId={id} />
          ))}
          <TimeLeft kind="opens" atMs={nowMs + DAY_MS} />
          <TimeLeft kind="closes" atMs={nowMs + DAY_MS} />
          <TimeLeft kind="closes" atMs={nowMs - DAY_MS} />
        </Row>
        <MarketName marketId="m_0000000000000000" outcomeId="yes" />
      </div>
    </Card>
  );
}
