import { useCallback, useEffect, useState } from 'react';
import { Link, useParams } from 'react-router';
import {
  endWebhookEndpoint,
  rotateWebhookSecret,
  sendWebhookAgain,
  testWebhook,
  type WebhookDelivery,
  webhookDeliveries,
  webhookEndpoints,
} from '#contract/app/programs/webhooks.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { webhookLog as text, webhooksPage } from '#messages/programs/webhooks.ts';
import { call, messageFrom } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { ConfirmDialog } from '#web/ui/dialog/ConfirmDialog.tsx';
import { failureFrom, type LoadFailure } from '#web/ui/feedback/load-failure.ts';
import { NotLoaded } from '#web/ui/feedback/NotLoaded.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Page } from '#web/ui/page/Page.tsx';
import shared from '../security.module.css';
import { DeliveryTable } from './DeliveryTable.tsx';
import { EditWebhookDialog } from './EditWebhookDialog.tsx';
import { Health } from './Health.tsx';
import { RotateDialog } from './RotateDialog.tsx';
import styles from './webhooks.module.css';

type Log = ReplyOf<typeof webhookDeliveries>;
type Events = ReplyOf<typeof webhookEndpoints>['events'];

/** What is on its way is answered within seconds. */
const REFRESH_MS = 2_000;

export function WebhookScreen() {
  const { endpointId = '' } = useParams();
  const { log, failure, reload, more } = useLog(endpointId);
  const [open, setOpen] = useState<'edit' | 'rotate' | 'end' | null>(null);
  const [events, setEvents] = useState<Events | null>(null);
  const close = () => setOpen(null);

  async function edit() {
    try {
      setEvents((await call(webhookEndpoints, {})).events);
      setOpen('edit');
    } catch (error) {
      toast.error(messageFrom(error, webhooksPage.failed));
    }
  }

  const act = async (send: () => Promise<{ msg: string }>) => {
    try {
      toast.success((await send()).msg);
      await reload();
    } catch (error) {
      toast.error(messageFrom(error, webhooksPage.failed));
    }
  };
  const isLive = log !== null && log.endpoint.state !== 'ended';

  return (
    <Page title={text.title} lead={log && <span className={styles.url}>{log.endpoint.url}</span>}>
      {failure && <NotLoaded {...failure} onRetry={reload} />}
      {log && (
        <>
          <div className={styles.head}>
            <Health of={log.endpoint} />
            {isLive && (
              <div className={shared.choices}>
                <Button onClick={() => act(() => call(testWebhook, { endpointId }))}>{text.test}</Button>
                <Button kind="ghost" onClick={edit}>
                  {text.edit}
                </Button>
                <Button kind="ghost" onClick={() => setOpen('rotate')}>
                  {text.rotate}
                </Button>
                <Button kind="ghost" onClick={() => setOpen('end')}>
                  {text.end}
                </Button>
              </div>
            )}
          </div>
          <section className={shared.card} aria-labelledby="log-title">
            <h2 id="log-title">{text.heading}</h2>
            {log.deliveries.length === 0 ? (
              <p className={shared.why}>{text.none}</p>
            ) : (
              <DeliveryTable
                deliveries={log.deliveries}
                onSendAgain={
                  isLive
                    ? ({ deliveryId }: WebhookDelivery) => act(() => call(sendWebhookAgain, { endpointId, deliveryId }))
                    : null
                }
              />
            )}
            {log.next !== null && (
              <Button kind="ghost" onClick={more}>
                {text.more}
              </Button>
            )}
          </section>
        </>
      )}
      <p className={shared.back}>
        <Link to="/organization/api">{text.back}</Link>
      </p>

      {open === 'edit' && log && events && (
        <EditWebhookDialog endpoint={log.endpoint} events={events} onSaved={reload} onClose={close} />
      )}
      {open === 'rotate' && <RotateDialog send={() => call(rotateWebhookSecret, { endpointId })} onClose={close} />}
      {open === 'end' && (
        <ConfirmDialog
          title={text.endTitle}
          why={text.endWhy}
          confirm={text.end}
          cancel={text.keep}
          send={() => call(endWebhookEndpoint, { endpointId })}
          onDone={reload}
          onClose={close}
        />
      )}
    </Page>
  );
}

function useLog(endpointId: string) {
  const [log, setLog] = useState<Log | null>(null);
  const [failure, setFailure] = useState<LoadFailure | null>(null);
  const reload = useCallback(async () => {
    try {
      setLog(await call(webhookDeliveries, { endpointId }));
      setFailure(null);
    } catch (error) {
      setFailure(failureFrom(error, text.notLoaded));
    }
  }, [endpointId]);
  useEffect(() => void reload(), [reload]);

  const isUnderWay = log?.deliveries.some(({ state, attempts }) => state === 'waiting' && attempts === 0) ?? false;
  useEffect(() => {
    if (!isUnderWay) return;
    const timer = setInterval(() => void reload(), REFRESH_MS);
    return () => clearInterval(timer);
  }, [isUnderWay, reload]);

  const more = async () => {
    if (!log?.next) return;
    try {
      const older = await call(webhookDeliveries, { endpointId, after: log.next });
      setLog({ ...older, deliveries: [...log.deliveries, ...older.deliveries] });
    } catch (error) {
      toast.error(messageFrom(error, text.notLoaded));
    }
  };
  return { log, failure, reload, more };
}

export { WebhookScreen as Component };
