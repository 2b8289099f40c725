// Why an order could not be placed as it is, and the quickest way out.
import { BalanceInsufficientError, RateLimitedError, RiskLimitBreachError } from '@sibyl/sdk';
import { Button } from '../../../components/button.tsx';
import { ErrorNote } from '../../../components/error-note.tsx';
import { cents, money, shares } from '../../../format/amounts.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import { MoreMoney } from './nothing-free.tsx';
import { ticketTexts } from './texts.ts';

interface PreviewProblemProps {
  readonly error: unknown;
  /** Accepts a price far from what the outcome is worth; absent where the ticket is not at hand. */
  readonly onAccept?: () => void;
}

export function PreviewProblem({ error, onAccept }: PreviewProblemProps) {
  const t = useTexts(ticketTexts);
  const locale = useLocale();
  if (error instanceof RateLimitedError)
    return <p className="text-xs text-muted">{t('tooOften')}</p>;
  if (error instanceof RiskLimitBreachError && error.details.limit === 'far_from_price') {
    return (
      <div role="alert" className="flex flex-col gap-2 rounded-md bg-warn-soft p-3 text-warn">
        <p>{t('farFromPrice', { price: cents(locale, String(error.details.reference)) })}</p>
        {onAccept !== undefined && (
          <Button size="small" onClick={onAccept}>
            {t('acceptPrice')}
          </Button>
        )}
      </div>
    );
  }
  if (!(error instanceof BalanceInsufficientError)) return <ErrorNote error={error} />;
  const { required, free, outcome_id: outcomeId } = error.details;
  const values = { required: String(required), free: String(free) };
  return (
    <div role="alert" className="flex flex-col gap-2 rounded-md bg-warn-soft p-3 text-warn">
      {outcomeId === undefined ? (
        <>
          <p>
            {t('tooLittleMoney', {
              required: money(locale, values.required),
              free: money(locale, values.free),
            })}
          </p>
          <MoreMoney />
        </>
      ) : (
        <p>
          {t('tooFewShares', {
            required: shares(locale, values.required),
            free: shares(locale, values.free),
          })}
        </p>
      )}
    </div>
  );
}
