import { useCallback, useState } from 'react';
import { Link, useParams } from 'react-router';
import { removeTrackingLink, type TrackingLink, trackingLinks } from '#contract/app/records/links.ts';
import { formatCents, formatCount } from '#messages/format.ts';
import { salesPage } from '#messages/records/sales-report.ts';
import { linksPage as text } from '#messages/records/tracking-links.ts';
import { call } from '#web/api.ts';
import { EventTab } from '#web/shell/workspace/EventTab.tsx';
import { Button } from '#web/ui/button/Button.tsx';
import { CopyButton } from '#web/ui/button/CopyButton.tsx';
import { type Column, DataTable } from '#web/ui/data/DataTable.tsx';
import { ConfirmDialog } from '#web/ui/dialog/ConfirmDialog.tsx';
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx';
import { NotLoaded } from '#web/ui/feedback/NotLoaded.tsx';
import { Skeleton } from '#web/ui/feedback/Skeleton.tsx';
import { usePolled } from '#web/ui/page/use-polled.ts';
import overview from '../overview.module.css';
import { CodeDialog } from './CodeDialog.tsx';
import styles from './links.module.css';
import { NewLinkDialog } from './NewLinkDialog.tsx';

const POLL_MS = 30_000;

type OpenDialog = { is: 'add' } | { is: 'code' | 'remove'; link: TrackingLink };

export function LinksScreen() {
  const { eventId = '' } = useParams();
  return <LinksOfEvent key={eventId} eventId={eventId} />;
}

function LinksOfEvent({ eventId }: { eventId: string }) {
  const read = useCallback((signal: AbortSignal) => call(trackingLinks, { eventId }, { signal }), [eventId]);
  const { view, failure, refresh } = usePolled(read, POLL_MS);
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const close = () => setOpen(null);
  const reload = async () => refresh();
  const add = view?.mayEdit && <Button onClick={() => setOpen({ is: 'add' })}>{text.add}</Button>;

  return (
    <EventTab
      eventId={eventId}
      tab="overview"
      title={text.title}
      actions={view && view.links.length > 0 && add}
      lead={
        <>
          {text.lead} <Link to={`/events/${eventId}`}>{text.overview}</Link> ·{' '}
          <Link to={`/events/${eventId}/sales`}>{salesPage.title}</Link>
        </>
      }
    >
      {!view && !failure && <Skeleton className={styles.loading} />}
      {!view && failure && <NotLoaded {...failure} onRetry={reload} />}
      {view && view.links.length === 0 && (
        <EmptyState title={text.none} actions={add}>
          <p>{text.noneHint}</p>
        </EmptyState>
      )}
      {view && view.links.length > 0 && (
        <section className={overview.card} aria-label={text.title}>
          <Links links={view.links} mayEdit={view.mayEdit} onOpen={setOpen} />
        </section>
      )}

      {view && open?.is === 'add' && (
        <NewLinkDialog eventId={eventId} eventUrl={view.eventUrl} onAdded={reload} onClose={close} />
      )}
      {open?.is === 'code' && <CodeDialog eventId={eventId} link={open.link} onClose={close} />}
      {open?.is === 'remove' && (
        <ConfirmDialog
          title={text.removeTitle}
          why={text.removeWhy(open.link.name)}
          confirm={text.remove}
          cancel={text.keep}
          send={() => call(removeTrackingLink, { eventId, linkId: open.link.linkId })}
          onDone={reload}
          onClose={close}
        />
      )}
    </EventTab>
  );
}

interface LinksProps {
  links: readonly TrackingLink[];
  mayEdit: boolean;
  onOpen: (dialog: OpenDialog) => void;
}

function Links({ links, mayEdit, onOpen }: LinksProps) {
  const columns: Column<TrackingLink>[] = [
    { label: text.name, cell: (link) => <Name link={link} /> },
    { label: text.views, numeric: true, cell: ({ views }) => formatCount(views) },
    { label: text.orders, numeric: true, cell: ({ orders }) => formatCount(orders) },
    { label: text.tickets, numeric: true, cell: ({ tickets }) => formatCount(tickets) },
    { label: text.gross, numeric: true, cell: ({ grossCents }) => formatCents(grossCents) },
    {
      label: text.actions,
      quiet: true,
      cell: (link) => (
        <span className={styles.actions}>
          <CopyButton text={link.url} label={text.copyNamed(link.name)} />
          <Button
            kind="ghost"
            aria-label={text.codeNamed(link.name)}
            aria-haspopup="dialog"
            onClick={() => onOpen({ is: 'code', link })}
          >
            {text.code}
          </Button>
          {mayEdit && (
            <Button
              kind="ghost"
              aria-label={text.removeNamed(link.name)}
              onClick={() => onOpen({ is: 'remove', link })}
            >
              {text.remove}
            </Button>
          )}
        </span>
      ),
    },
  ];
  return <DataTable caption={text.caption} columns={columns} rows={links} keyOf={({ linkId }) => linkId} />;
}

function Name({ link: { name, url } }: { link: TrackingLink }) {
  return (
    <span className={styles.name}>
      {name}
      <a href={url}>{url.replace(/^https?:\/\//, '')}</a>
    </span>
  );
}

export { LinksScreen as Component };
