// Keys as rows.
import type { ApiKey, RevokedKey } from '@sibyl/sdk';
import { useState } from 'react';
import { Badge } from '../../../components/badge.tsx';
import { Button } from '../../../components/button.tsx';
import { Confirm } from '../../../components/confirm.tsx';
import { Empty } from '../../../components/empty.tsx';
import { ListTable } from '../../../components/list-table.tsx';
import { PageLink } from '../../../components/page-link.tsx';
import type { Column } from '../../../components/table.tsx';
import { useNote } from '../../../components/toasts.tsx';
import { dateTime } from '../../../format/times.ts';
import { addressIn, wishFor } from '../../../lane.ts';
import type { List } from '../../../live/use-list.ts';
import { useClient } from '../../../session/use-session.ts';
import type { Translate } from '../../../texts/texts.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import { noteRate } from '../rates.ts';
import { developerTexts } from '../texts.ts';
import { When } from '../when.tsx';
import { childrenOf } from './children.ts';
import { keyTexts } from './texts.ts';

interface Props {
  readonly keys: List<ApiKey>;
  readonly which: 'active' | 'all';
}

export function KeyTable({ keys: { rows, ...list }, which }: Props) {
  const t = useTexts(keyTexts);
  const columns = useColumns((key) => setRevoking(key));
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const [last, setLast] = useState<RevokedKey | null>(null);
  return (
    <>
      {last !== null && last.webhook_ids.length > 0 && <WebhooksLeft revoked={last} />}
      <ListTable
        label={t('title')}
        columns={columns}
        rows={rows?.filter(({ status }) => which === 'all' || status === 'active') ?? null}
        keyOf={({ key_id: id }) => id}
        list={list}
        empty={<Empty title={t('none')}>{t('noneText')}</Empty>}
      />
      {revoking !== null && (
        <RevokeDialog
          revoked={revoking}
          minted={childrenOf(rows ?? [], revoking.key_id)}
          onClose={() => setRevoking(null)}
          onRevoked={async (revoked) => {
            setLast(revoked);
            await list.reload();
          }}
        />
      )}
    </>
  );
}

function useColumns(onRevoke: (key: ApiKey) => void): readonly Column<ApiKey>[] {
  const t = useTexts(keyTexts);
  const shared = useTexts(developerTexts);
  const locale = useLocale();
  return [
    { id: 'key', title: t('key'), cell: (key) => <Name apiKey={key} /> },
    {
      id: 'permissions',
      isMinor: true,
      title: t('permissions'),
      cell: (key) => <Permissions apiKey={key} />,
    },
    {
      id: 'tier',
      isMinor: true,
      title: t('tier'),
      cell: ({ tier }) => <code className="font-mono text-xs whitespace-nowrap">{tier}</code>,
    },
    {
      id: 'lane',
      isMinor: true,
      title: t('lane'),
      cell: (key) => <LaneName apiKey={key} />,
    },
    {
      id: 'used',
      isMinor: true,
      title: t('lastUsed'),
      cell: ({ last_used_at_ms: ms }) =>
        ms === null ? <span className="text-muted">{shared('never')}</span> : <When ms={ms} />,
    },
    {
      id: 'expiry',
      isMinor: true,
      title: t('expiry'),
      cell: ({ expires_at_ms: ms }) => (
        <span className="whitespace-nowrap">
          {ms === null ? <span className="text-muted">{t('noExpiry')}</span> : dateTime(locale, ms)}
        </span>
      ),
    },
    {
      id: 'do',
      title: '',
      isFigure: true,
      cell: (key) =>
        key.status === 'active' ? (
          <Button
            size="small"
            aria-label={`${t('revoke')} ${key.label === '' ? key.key_id : key.label}`}
            onClick={() => onRevoke(key)}
          >
            {t('revoke')}
          </Button>
        ) : (
          <Badge>{wordOf(t, key.status)}</Badge>
        ),
    },
  ];
}

function Name({ apiKey }: { readonly apiKey: ApiKey }) {
  const t = useTexts(keyTexts);
  const locale = useLocale();
  const { label, key_id: id, limits_change_at_ms: changesAtMs } = apiKey;
  return (
    <div className="min-w-40 py-2">
      <p dir="auto" className="line-clamp-1 font-semibold">
        {label === '' ? <span className="text-muted">{t('noLabel')}</span> : label}
      </p>
      <PageLink
        to="/developers/requests"
        search={{ key: id }}
        className="font-mono text-xs whitespace-nowrap text-muted hover:underline"
      >
        {id}
      </PageLink>
      {changesAtMs !== null && (
        <p className="text-xs text-warn">
          {t('limitsChange', { when: dateTime(locale, changesAtMs) })}
        </p>
      )}
      <OnPhone apiKey={apiKey} />
    </div>
  );
}

/** What a phone has no columns for. */
function OnPhone({ apiKey }: { readonly apiKey: ApiKey }) {
  const t = useTexts(keyTexts);
  const shared = useTexts(developerTexts);
  const locale = useLocale();
  const { tier, last_used_at_ms: usedMs, expires_at_ms: endMs } = apiKey;
  const when = (ms: number | null, never: string): string =>
    ms === null ? never : dateTime(locale, ms);
  return (
    <div className="flex flex-col gap-1 pt-1 text-xs text-muted sm:hidden">
      <Permissions apiKey={apiKey} />
      <span>
        <LaneName apiKey={apiKey} /> · <code className="font-mono">{tier}</code>
      </span>
      <span>
        {t('lastUsed')}: {when(usedMs, shared('never'))}
      </span>
      <span>
        {t('expiry')}: {when(endMs, t('noExpiry'))}
      </span>
    </div>
  );
}

/** With what it may do on behalf of others, and whether it signs. */
function Permissions({ apiKey }: { readonly apiKey: ApiKey }) {
  const t = useTexts(keyTexts);
  const { permissions, partner_scopes: forOthers, has_signing_secret: signs } = apiKey;
  return (
    <span className="flex flex-wrap gap-1">
      {[...permissions, ...forOthers, ...(signs ? ['sign'] : [])].map((permission) => (
        <Badge key={permission}>{wordOf(t, permission)}</Badge>
      ))}
    </span>
  );
}

function LaneName({ apiKey: { environment } }: { readonly apiKey: ApiKey }) {
  const t = useTexts(keyTexts);
  return (
    <span
      className={`font-semibold whitespace-nowrap ${environment === 'live' ? 'text-live' : 'text-sandbox'}`}
    >
      {wordOf(t, environment)}
    </span>
  );
}

/** They may be in the other lane, as the key was. */
function WebhooksLeft({ revoked }: { readonly revoked: RevokedKey }) {
  const t = useTexts(keyTexts);
  const lane = revoked.environment === 'live' ? 'live' : 'sandbox';
  return (
    <p className="px-4 py-3 text-warn">
      {t('webhooksLeft', { count: revoked.webhook_ids.length })}{' '}
      <a
        href={addressIn(lane).replace(/keys$/, 'webhooks')}
        onClick={() => wishFor(lane)}
        className="font-semibold underline"
      >
        {t('webhooksLook')}
      </a>
    </p>
  );
}

interface RevokeProps {
  readonly revoked: ApiKey;
  /** With it; they end too. */
  readonly minted: readonly ApiKey[];
  readonly onClose: () => void;
  readonly onRevoked: (revoked: RevokedKey) => Promise<unknown>;
}

function RevokeDialog({ revoked, minted, onClose, onRevoked }: RevokeProps) {
  const t = useTexts(keyTexts);
  const client = useClient();
  const note = useNote();
  const revoke = async (): Promise<void> => {
    const answer = await client.keys.revoke(revoked.key_id, { onAnswer: noteRate });
    note(t('revokedNote'), revoked.key_id);
    await onRevoked(answer);
  };
  return (
    <Confirm title={t('revokeTitle')} action={t('revoke')} onConfirm={revoke} onClose={onClose}>
      <KeyLine apiKey={revoked} />
      <p>{t('revokeText')}</p>
      {minted.length > 0 && (
        <div className="flex flex-col gap-2">
          <p className="font-semibold">{t('revokeChildren', { count: minted.length })}</p>
          {minted.map((child) => (
            <KeyLine key={child.key_id} apiKey={child} />
          ))}
        </div>
      )}
    </Confirm>
  );
}

function KeyLine({ apiKey }: { readonly apiKey: ApiKey }) {
  return (
    <p className="rounded-md bg-page px-3 py-1.5 text-xs">
      <bdi className="font-semibold">{apiKey.label}</bdi>{' '}
      <code className="font-mono">{apiKey.key_id}</code>
    </p>
  );
}

/** A word that this page knows in the reader's language; a newer one as it is. */
function wordOf(t: Translate<keyof typeof keyTexts>, word: string): string {
  return Object.hasOwn(keyTexts, word) ? t(word as keyof typeof keyTexts) : word;
}
