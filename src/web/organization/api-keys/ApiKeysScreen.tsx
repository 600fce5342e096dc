import { useCallback, useEffect, useState } from 'react';
import { Link } from 'react-router';
import { type ApiKey, apiKeys, revokeApiKey } from '#contract/app/programs/api-keys.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { scopeMeaning, apiKeysPage as text } from '#messages/programs/api-keys-page.ts';
import { call } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Chip } from '#web/ui/data/Chip.tsx';
import { type Column, DataTable } from '#web/ui/data/DataTable.tsx';
import { ConfirmDialog } from '#web/ui/dialog/ConfirmDialog.tsx';
import { failureFrom, type LoadFailure } from '#web/ui/feedback/load-failure.ts';
import { NotLoaded } from '#web/ui/feedback/NotLoaded.tsx';
import { Page } from '#web/ui/page/Page.tsx';
import shared from '../security.module.css';
import { WebhooksCard } from '../webhooks/WebhooksCard.tsx';
import styles from './api-keys.module.css';
import { NewKeyDialog } from './NewKeyDialog.tsx';

type Shown = ReplyOf<typeof apiKeys>;
type OpenDialog = { is: 'create' } | { is: 'revoke'; key: ApiKey };

export function ApiKeysScreen() {
  const { shown, failure, reload } = useKeys();
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const close = () => setOpen(null);

  return (
    <Page title={text.title} lead={text.lead}>
      {failure && <NotLoaded {...failure} onRetry={reload} />}
      {shown && (
        <section className={shared.card} aria-labelledby="keys-title">
          <header className={styles.head}>
            <h2 id="keys-title">{text.keys}</h2>
            <Button onClick={() => setOpen({ is: 'create' })}>{text.create}</Button>
          </header>
          {shown.keys.length === 0 ? (
            <p className={shared.why}>{text.none}</p>
          ) : (
            <Keys shown={shown} onRevoke={(key) => setOpen({ is: 'revoke', key })} />
          )}
        </section>
      )}
      <WebhooksCard />
      <p className={shared.back}>
        <Link to="/api/v1/docs">{text.reference}</Link>
      </p>
      <p className={shared.back}>
        <Link to="/profile">{text.back}</Link>
      </p>

      {shown && open?.is === 'create' && <NewKeyDialog events={shown.events} onCreated={reload} onClose={close} />}
      {open?.is === 'revoke' && (
        <ConfirmDialog
          title={text.revokeTitle}
          why={text.revokeWhy(open.key.name)}
          confirm={text.revoke}
          cancel={text.keep}
          send={() => call(revokeApiKey, { keyId: open.key.keyId })}
          onDone={reload}
          onClose={close}
        />
      )}
    </Page>
  );
}

function Keys({ shown: { keys, events }, onRevoke }: { shown: Shown; onRevoke: (key: ApiKey) => void }) {
  const titleOf = new Map(events.map(({ eventId, title }) => [eventId, title]));
  const columns: Column<ApiKey>[] = [
    { label: text.name, cell: (key) => <Name of={key} /> },
    { label: text.may, cell: ({ scopes }) => <Scopes of={scopes} /> },
    {
      label: text.events,
      cell: ({ onlyEventIds }) => onlyEventIds?.map((id) => titleOf.get(id) ?? id).join(', ') ?? text.allEvents,
    },
    { label: text.lastUsed, cell: ({ lastUsedAt }) => (lastUsedAt ? dayOf(lastUsedAt) : text.neverUsed) },
    { label: text.until, cell: ({ expiresAt }) => dayOf(expiresAt) },
    {
      label: text.actions,
      quiet: true,
      cell: (key) =>
        key.state === 'live' && (
          <Button kind="ghost" aria-label={text.revokeLabel(key.name)} onClick={() => onRevoke(key)}>
            {text.revoke}
          </Button>
        ),
    },
  ];
  return <DataTable caption={text.caption} columns={columns} rows={keys} keyOf={({ keyId }) => keyId} />;
}

function Scopes({ of }: { of: ApiKey['scopes'] }) {
  return (
    <ul className={styles.may}>
      {of.map((scope) => (
        <li key={scope}>{scopeMeaning[scope]}</li>
      ))}
    </ul>
  );
}

function Name({ of: { name, state } }: { of: ApiKey }) {
  const ended = text.state[state];
  return (
    <span className={styles.name}>
      {name} {ended !== null && <Chip>{ended}</Chip>}
    </span>
  );
}

const dayOf = (at: string) =>
  new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric' }).format(new Date(at));

function useKeys() {
  const [shown, setShown] = useState<Shown | null>(null);
  const [failure, setFailure] = useState<LoadFailure | null>(null);
  const reload = useCallback(async () => {
    try {
      setShown(await call(apiKeys, {}));
      setFailure(null);
    } catch (error) {
      setFailure(failureFrom(error, text.notLoaded));
    }
  }, []);
  useEffect(() => void reload(), [reload]);
  return { shown, failure, reload };
}

export { ApiKeysScreen as Component };
