import { useState } from 'react';
import type { Confirmation, OrderAddress, OrderDetails } from '#contract/app/checkout.ts';
import { addressLine, ticketPosition } from '#messages/format.ts';
import { endedTicket, nameOfTicket, orderPage as text } from '#messages/sales/order-page.ts';
import { transferPage } from '#messages/sales/ticket-transfers.ts';
import { photoSource } from '#web/photo-source.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { CopyButton } from '#web/ui/button/CopyButton.tsx';
import { formatDate, formatMoment, formatShort, formatTime } from '#web/ui/data/format.ts';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { Icon } from '#web/ui/icons/Icon.tsx';
import { Page } from '#web/ui/page/Page.tsx';
import { TicketPass } from '#web/ui/ticket/TicketPass.tsx';
import { ChangeButton } from './ChangeButton.tsx';
import { OrderInfo } from './OrderInfo.tsx';
import styles from './order.module.css';
import { addressOfPage, pathOf } from './order-address.ts';
import { RefundButton } from './RefundButton.tsx';
import { SavedTicketsNote } from './SavedTicketsNote.tsx';
import { TicketFullScreen } from './TicketFullScreen.tsx';
import { loadOrderCalls } from './use-order.ts';
import { WalletLinks } from './WalletLinks.tsx';

interface PaidOrderProps {
  address: OrderAddress;
  confirmation: Confirmation;
  /** When the data was saved, if it comes from this device. */
  savedAt?: Date;
  onRead: () => void;
}

type UsableTicket = Confirmation['confirmationData'][number];
type EndedTicket = OrderDetails['endedTickets'][number];

export function PaidOrder({ address, confirmation, savedAt, onRead }: PaidOrderProps) {
  const { order, details, confirmationData: usable } = confirmation;
  const [shown, setShown] = useState<number | null>(null);
  const [isGiven, setIsGiven] = useState(false);
  if (!order) return null;
  if (isGiven)
    return (
      <Page title={text.title} heading={transferPage.given} lead={transferPage.givenLead}>
        {null}
      </Page>
    );

  /** The link to this page is dead now. */
  function forget() {
    setIsGiven(true);
    void loadOrderCalls().then(({ removeSavedTickets }) => removeSavedTickets([pathOf(address)]));
  }

  const tickets: (UsableTicket | EndedTicket)[] = [...usable, ...(details?.endedTickets ?? [])].sort(
    (one, other) => one.position - other.position,
  );
  const pass = {
    eventId: order.eventId,
    // Not among what the device saved.
    photo: details?.photo && !savedAt ? photoSource(details.photo) : null,
    photoFocus: details?.photoFocus,
    title: order.title,
    when: formatShort(order.startDate_startTime, order.timezone),
    venue: details ? `${details.street}, ${order.city}` : order.city,
  };
  // A cancelled event's tickets end as their refunds start.
  const scans = ({ isDisputed }: UsableTicket) => !isDisputed && !details?.isCancelled;
  const scannable = usable.filter(scans);

  return (
    <Page
      title={text.title}
      {...headingOf(confirmation)}
      actions={
        scannable.length > 0 && (
          <Button kind="ghost" onClick={() => window.print()}>
            <Icon name="printer" />
            {text.print}
          </Button>
        )
      }
      className={styles.paid}
    >
      <Notes confirmation={confirmation} savedAt={savedAt} onRead={onRead} />
      <div className={styles.order}>
        <ul className={styles.passes}>
          {tickets.map((ticket) => (
            <li
              key={ticket.position}
              className={'confirmationNumber' in ticket && scans(ticket) ? undefined : styles.screenOnly}
            >
              {'confirmationNumber' in ticket ? (
                <TicketPass
                  {...pass}
                  ticketName={ticket.ticketName}
                  guest={ticket.guestName}
                  position={ticketPosition(ticket)}
                  confirmationNumber={ticket.confirmationNumber}
                  stamp={ticket.scannedAt && stampOf(ticket, ticket.scannedAt, order.timezone)}
                  isVoid={!scans(ticket)}
                >
                  {scans(ticket) && (
                    <div className={styles.passActions}>
                      <Button
                        kind="ghost"
                        aria-label={text.showOneAtDoor(nameOfTicket(ticket))}
                        onClick={() => setShown(scannable.indexOf(ticket))}
                      >
                        {text.showAtDoor}
                      </Button>
                      <CopyButton
                        text={ticket.confirmationNumber}
                        label={`Copy confirmation number ${ticket.confirmationNumber}`}
                        copied="Confirmation number copied"
                      />
                      {details?.transfersUntil && !ticket.scannedAt && !savedAt && (
                        <ChangeButton
                          label={transferPage.button}
                          name={transferPage.buttonLabel(nameOfTicket(ticket))}
                          change={{
                            transfer: {
                              token: details.token,
                              ticket,
                              asksNames: details.asksNames ?? 'off',
                              onDone: details.isHolder ? forget : onRead,
                            },
                          }}
                        />
                      )}
                      {details?.areRefundsOpen && !ticket.scannedAt && !savedAt && (
                        <RefundButton token={details.token} ticket={ticket} onDone={onRead} />
                      )}
                      {details && !savedAt && <WalletLinks details={details} ticket={ticket} />}
                    </div>
                  )}
                </TicketPass>
              ) : (
                <TicketPass
                  {...pass}
                  ticketName={ticket.ticketName}
                  position={ticketPosition(ticket)}
                  ended={endedTicket(ticket.state, ticket.priceCents)}
                >
                  {ticket.state === 'transferred' && details?.areRefundsOpen && !savedAt && (
                    <div className={styles.passActions}>
                      <RefundButton token={details.token} ticket={ticket} onDone={onRead} />
                    </div>
                  )}
                </TicketPass>
              )}
            </li>
          ))}
        </ul>
        <OrderInfo confirmation={confirmation} isOffline={savedAt !== undefined} onRead={onRead} />
      </div>
      {scannable.length > 0 && (
        <SavedTicketsNote
          page={pathOf(details ? addressOfPage(details) : address)}
          opened={pathOf(address)}
          confirmation={confirmation}
          isFresh={savedAt === undefined}
        />
      )}
      {shown !== null && <TicketFullScreen tickets={scannable} first={shown} onClose={() => setShown(null)} />}
    </Page>
  );
}

/** The `h1` and the line below it. */
function headingOf({ status, confirmationData: usable, order, details }: Confirmation) {
  if (details?.isCancelled)
    return { heading: text.cancelled, lead: details.totalCents === 0 ? text.nothingPaid : text.cancelledTickets };
  const isGivenAway = usable.length === 0 && status === 'confirmed';
  if (isGivenAway) return { heading: transferPage.allGiven, lead: transferPage.allGivenLead };
  if (status === 'refunded' && details?.endedTickets.every(({ state }) => state === 'void'))
    return { heading: text.voidTitle, lead: text.voidLead };
  if (status === 'refunded' && details?.isHolder) return { heading: transferPage.ended, lead: transferPage.endedLead };
  if (status === 'refunded' && details?.isComp) return { heading: text.withdrawn, lead: text.nothingPaid };
  if (status === 'refunded')
    return { heading: text.refunded, lead: details?.totalCents === 0 ? text.nothingPaid : text.refundedLead };
  const isOnlyAddOns = usable.every(({ isAddOn }) => isAddOn);
  return {
    heading: (isOnlyAddOns ? text.thankYou : text.admitted)(order?.firstName),
    lead: order?.email ? text.sentTo(order.email) : null,
  };
}

const stampOf = ({ isAddOn }: UsableTicket, at: string, timezone: string) =>
  (isAddOn ? text.pickedUpAt : text.checkedInAt)(`${formatDate(at, timezone)}, ${formatTime(at, timezone)}`);

/** What the buyer has to know before the tickets. */
function Notes({
  confirmation,
  savedAt,
  onRead,
}: Pick<PaidOrderProps, 'confirmation' | 'onRead'> & { savedAt: Date | undefined }) {
  const { order, details, confirmationData } = confirmation;
  if (!order) return null;
  const { timezone } = order;
  return (
    <>
      {savedAt && (
        <Banner
          kind="warning"
          className={styles.note}
          title="No connection"
          action={
            <Button kind="ghost" onClick={onRead}>
              Try again
            </Button>
          }
        >
          Your tickets as of {formatShort(savedAt, timezone)}. Any refunded since then won't scan.
        </Banner>
      )}
      {details?.movedFrom && !details.isCancelled && (
        <Banner kind="warning" className={styles.note} title={newStart(details.movedFrom, order)}>
          {text.movedText(formatMoment(details.movedFrom, timezone))}
        </Banner>
      )}
      {details?.movedFromAddress && !details.isCancelled && (
        <Banner
          kind="warning"
          className={styles.note}
          title={text.newVenue(addressLine({ ...details, city: order.city }))}
        >
          {text.movedText(details.movedFromAddress)}
        </Banner>
      )}
      {confirmationData.some(({ isDisputed }) => isDisputed) && (
        <Banner kind="warning" className={styles.note} title={text.disputedTitle}>
          {text.disputedText}
        </Banner>
      )}
    </>
  );
}

function newStart(was: string, { startDate_startTime: start, timezone }: NonNullable<Confirmation['order']>): string {
  const isSameDay = formatDate(was, timezone) === formatDate(start, timezone);
  return (isSameDay ? text.newTime : text.newDate)(formatMoment(start, timezone));
}
