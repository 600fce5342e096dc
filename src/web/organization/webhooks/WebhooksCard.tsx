import { useCallback, useEffect, useState } from 'react';
import { Link } from 'react-router';
import { type WebhookEndpoint, webhookEndpoints } from '#contract/app/programs/webhooks.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { webhooksPage as text, typeNames } from '#messages/programs/webhooks.ts';
import { call } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { type Column, DataTable } from '#web/ui/data/DataTable.tsx';
import { failureFrom, type LoadFailure } from '#web/ui/feedback/load-failure.ts';
import { NotLoaded } from '#web/ui/feedback/NotLoaded.tsx';
import shared from '../security.module.css';
import { Health } from './Health.tsx';
import { NewWebhookDialog } from './NewWebhookDialog.tsx';
import styles from './webhooks.module.css';

type Shown = ReplyOf<typeof webhookEndpoints>;

/** The addresses that are called when something happens. */
export function WebhooksCard() {
  const [shown, setShown] = useState<Shown | null>(null);
  const [failure, setFailure] = useState<LoadFailure | null>(null);
  const [isAdding, setAdding] = useState(false);
  const reload = useCallback(async () => {
    try {
      setShown(await call(webhookEndpoints, {}));
      setFailure(null);
    } catch (error) {
      setFailure(failureFrom(error, text.notLoaded));
    }
  }, []);
  useEffect(() => void reload(), [reload]);

  return (
    <>
      {failure && <NotLoaded {...failure} onRetry={reload} />}
      {shown && (
        <section className={shared.card} aria-labelledby="webhooks-title">
          <header className={styles.head}>
            <h2 id="webhooks-title">{text.webhooks}</h2>
            <Button onClick={() => setAdding(true)}>{text.create}</Button>
          </header>
          {shown.endpoints.length === 0 ? (
            <p className={shared.why}>{text.none}</p>
          ) : (
            <>
              <p className={shared.why}>{text.lead}</p>
              <Webhooks shown={shown} />
            </>
          )}
        </section>
      )}
      {shown && isAdding && (
        <NewWebhookDialog events={shown.events} onCreated={reload} onClose={() => setAdding(false)} />
      )}
    </>
  );
}

function Webhooks({ shown: { endpoints, events } }: { shown: Shown }) {
  const titleOf = new Map(events.map(({ eventId, title }) => [eventId, title]));
  const columns: Column<WebhookEndpoint>[] = [
    { label: text.url, cell: ({ url }) => <span className={styles.url}>{url}</span> },
    { label: text.sends, cell: ({ types }) => <Types of={types} /> },
    {
      label: text.events,
      cell: ({ onlyEventIds }) => onlyEventIds?.map((id) => titleOf.get(id) ?? id).join(', ') ?? text.allEvents,
    },
    { label: text.health, cell: (endpoint) => <Health of={endpoint} /> },
    {
      label: text.actions,
      quiet: true,
      cell: ({ endpointId, url }) => (
        <Link className={styles.open} to={`/organization/webhooks/${endpointId}`} aria-label={text.logLabel(url)}>
          {text.log}
        </Link>
      ),
    },
  ];
  return <DataTable caption={text.caption} columns={columns} rows={endpoints} keyOf={({ endpointId }) => endpointId} />;
}

/** One by its name, many by their number. */
function Types({ of }: { of: WebhookEndpoint['types'] }) {
  const [only] = of;
  return of.length === 1 && only ? typeNames[only] : text.someTypes(of.length);
}
