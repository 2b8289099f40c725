// The sandbox: no money comes in or goes out; there is the faucet, and the way to the other lane.
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { addressIn, lanes, wishFor } from '../../lane.ts';
import { FaucetButton } from '../../sandbox/faucet-button.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { moneyTexts } from './texts.ts';

export function PlayMoney() {
  const t = useTexts(moneyTexts);
  return (
    <Card>
      <Empty
        title={t('playMoney')}
        action={
          <div className="flex flex-wrap items-center justify-center gap-4">
            <FaucetButton />
            {lanes.includes('live') && (
              // Another lane is another exchange: the page loads anew.
              <a
                href={addressIn('live')}
                onClick={() => wishFor('live')}
                className="underline underline-offset-2"
              >
                {t('toLiveMoney')}
              </a>
            )}
          </div>
        }
      >
        {t('playMoneyText')}
      </Empty>
    </Card>
  );
}
