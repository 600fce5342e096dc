import { Link, useParams } from 'react-router';
import { guestFile } from '#contract/app/guests.ts';
import { addCompsLink } from '#messages/guests.ts';
import { eventNotFound } from '#messages/sales/event-page.ts';
import { guestTablePage as text } from '#messages/sales/guest-table.ts';
import { addressOf as endpointAddress } from '#web/api.ts';
import { Button, ButtonLink } from '#web/ui/button/Button.tsx';
import { CopyButton } from '#web/ui/button/CopyButton.tsx';
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx';
import { NotLoaded } from '#web/ui/feedback/NotLoaded.tsx';
import { Skeleton } from '#web/ui/feedback/Skeleton.tsx';
import { downloadFile } from '#web/ui/page/download-file.ts';
import { Page } from '#web/ui/page/Page.tsx';
import { usePageTitle } from '#web/ui/page/page-title.ts';
import { GuestDrawer } from './GuestDrawer.tsx';
import { GuestFilters } from './GuestFilters.tsx';
import { GuestTable } from './GuestTable.tsx';
import styles from './guests.module.css';
import { PrintedList } from './PrintedList.tsx';
import { useGuestFilters } from './use-guest-filters.ts';
import { useGuestList } from './use-guest-list.ts';

export function GuestsScreen() {
  const { eventId = '' } = useParams();
  const address = useGuestFilters();
  const { filters, isPrint, addressOf } = address;
  if (isPrint) return <PrintedList eventId={eventId} filters={filters} backTo={addressOf({})} />;
  return <GuestsOfEvent key={eventId} eventId={eventId} address={address} />;
}

interface GuestsOfEventProps {
  eventId: string;
  address: ReturnType<typeof useGuestFilters>;
}

function GuestsOfEvent({ eventId, address }: GuestsOfEventProps) {
  const { filters, setFilters, guest, addressOf, closeGuest } = address;
  const list = useGuestList(eventId, filters);
  const { table, total, failure, isUnknown, isLoading, isStale, reload } = list;
  usePageTitle(table ? `${text.title} · ${table.title}` : text.title);
  const isFiltered = Object.keys(filters).length > 0;
  const hasNone = table !== null && table.counts.length === 0 && !isFiltered && !isStale;
  const may = table?.may ?? [];

  return (
    <Page heading={null} className={styles.screen}>
      <header className={styles.head}>
        <p className={styles.path}>
          <Link to="/profile">{text.back}</Link>
          {table && <span aria-hidden="true"> / {table.title}</span>}
        </p>
        <div className={styles.titleRow}>
          <h1 tabIndex={-1}>{isUnknown ? eventNotFound : text.title}</h1>
          {table && (
            <div className={styles.tools}>
              {may.includes('comp.manage') && (
                <ButtonLink kind="ghost" to={`/events/${eventId}/comps`}>
                  {addCompsLink}
                </ButtonLink>
              )}
              {!hasNone && (
                <ButtonLink kind="ghost" to={hrefOf(addressOf({ view: 'print' }))}>
                  {text.print}
                </ButtonLink>
              )}
              {!hasNone && may.includes('guest.export') && (
                <Button kind="ghost" onClick={() => downloadFile(endpointAddress(guestFile, { eventId }).url)}>
                  {text.download}
                </Button>
              )}
            </div>
          )}
        </div>
      </header>
      {failure && !isUnknown && <NotLoaded msg={failure.msg} mayRetry={failure.mayRetry} onRetry={reload} />}
      {isLoading && <Skeleton className={styles.loading} />}
      {hasNone && (
        <EmptyState
          title={text.none}
          actions={
            <>
              <ButtonLink to={`/payment/${eventId}`}>{text.view}</ButtonLink>
              <CopyButton text={`${window.location.origin}/payment/${eventId}`} label={text.copy} />
            </>
          }
        >
          <p>{text.share}</p>
        </EmptyState>
      )}
      {table && !hasNone && (
        <>
          <GuestFilters table={table} filters={filters} onChange={setFilters} />
          <p role="status" className={styles.found}>
            {!isStale && (total === 0 ? text.noHit : text.found(total))}
          </p>
          {total === 0 && isFiltered && (
            <Button
              kind="ghost"
              className={styles.clear}
              onClick={() =>
                setFilters({
                  q: undefined,
                  type: undefined,
                  state: undefined,
                  channel: undefined,
                  question: undefined,
                  answer: undefined,
                })
              }
            >
              {text.clear}
            </Button>
          )}
          {total > 0 && (
            <GuestTable
              caption={text.caption(table.title)}
              list={list}
              timezone={table.timezone}
              openId={guest}
              addressOf={(ticketId) => addressOf({ guest: ticketId })}
            />
          )}
        </>
      )}
      {guest && table && (
        <GuestDrawer
          key={guest}
          eventId={eventId}
          ticketId={guest}
          may={may}
          addressOf={(ticketId) => addressOf({ guest: ticketId })}
          onClose={closeGuest}
          onChanged={reload}
        />
      )}
    </Page>
  );
}

const hrefOf = ({ pathname, search }: { pathname: string; search: string }) => `${pathname}?${search}`;

export { GuestsScreen as Component };
