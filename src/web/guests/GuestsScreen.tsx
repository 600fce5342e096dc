import { Suspense } from 'react';
import { useParams } from 'react-router';
import { guestFile } from '#contract/app/guests.ts';
import { addCompsLink } from '#messages/guests.ts';
import { guestTablePage as text } from '#messages/sales/guest-table.ts';
import { addressOf as endpointAddress } from '#web/api.ts';
import { lazyScreen } from '#web/shell/lazy-screen.tsx';
import { useLoadEarly } from '#web/shell/use-load-early.ts';
import { EventTab } from '#web/shell/workspace/EventTab.tsx';
import listStyles from '#web/shell/workspace/list/ListFilters.module.css';
import { Button, ButtonLink } from '#web/ui/button/Button.tsx';
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx';
import { NotLoaded } from '#web/ui/feedback/NotLoaded.tsx';
import { Skeleton } from '#web/ui/feedback/Skeleton.tsx';
import { downloadFile } from '#web/ui/page/download-file.ts';
import { GuestFilters } from './GuestFilters.tsx';
import { GuestTable } from './GuestTable.tsx';
import styles from './guests.module.css';
import { useGuestFilters } from './use-guest-filters.ts';
import { useGuestList } from './use-guest-list.ts';

const drawers = lazyScreen(() => import('./GuestDrawer.tsx'));
const sheets = lazyScreen(() => import('./PrintedList.tsx'));

export function GuestsScreen() {
  const { eventId = '' } = useParams();
  const address = useGuestFilters();
  const { filters, isPrint, addressOf } = address;
  if (isPrint) return <sheets.Component eventId={eventId} filters={filters} backTo={addressOf({})} />;
  return <GuestsOfEvent key={eventId} eventId={eventId} address={address} />;
}

interface GuestsOfEventProps {
  eventId: string;
  address: ReturnType<typeof useGuestFilters>;
}

function GuestsOfEvent({ eventId, address }: GuestsOfEventProps) {
  const { filters, setFilters, guest, addressOf, closeGuest } = address;
  const list = useGuestList(eventId, filters);
  useLoadEarly(drawers.load);
  const { table, total, failure, isUnknown, isLoading, isStale, reload } = list;
  const isFiltered = Object.keys(filters).length > 0;
  const hasNone = table !== null && table.counts.length === 0 && !isFiltered && !isStale;
  const may = table?.may ?? [];

  const actions = table && (
    <>
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
    </>
  );

  return (
    <EventTab eventId={eventId} tab="guests" actions={actions}>
      {failure && !isUnknown && <NotLoaded msg={failure.msg} mayRetry={failure.mayRetry} onRetry={reload} />}
      {isLoading && <Skeleton className={styles.loading} />}
      {hasNone && (
        <EmptyState title={text.none} actions={<ButtonLink to={`/payment/${eventId}`}>{text.view}</ButtonLink>}>
          <p>{text.share}</p>
        </EmptyState>
      )}
      {table && !hasNone && (
        <>
          <GuestFilters table={table} filters={filters} onChange={setFilters} />
          <p role="status" className={listStyles.found}>
            {!isStale && (total === 0 ? text.noHit : text.found(total))}
          </p>
          {total === 0 && isFiltered && (
            <Button
              kind="ghost"
              className={listStyles.clear}
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
        <Suspense>
          <drawers.Component
            key={guest}
            eventId={eventId}
            ticketId={guest}
            may={may}
            addressOf={(ticketId) => addressOf({ guest: ticketId })}
            onClose={closeGuest}
            onChanged={reload}
          />
        </Suspense>
      )}
    </EventTab>
  );
}

const hrefOf = ({ pathname, search }: { pathname: string; search: string }) => `${pathname}?${search}`;

export { GuestsScreen as Component };
