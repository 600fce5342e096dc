import { useState } from 'react';
import type { Confirmation, OrderDetails } from '#contract/app/checkout.ts';
import { addressLine, directionsTo, formatCents, streetAddress } from '#messages/format.ts';
import { contactLink } from '#messages/sales/event-page.ts';
import { orderNames } from '#messages/sales/order-names.ts';
import { nameOfTicket, receiptLine, orderPage as text } from '#messages/sales/order-page.ts';
import { correctAddress } from '#messages/sales/ticket-transfers.ts';
import { messageFrom } from '#web/api.ts';
import { Button, ButtonLink } from '#web/ui/button/Button.tsx';
import { formatDate, formatMoment, formatTime } from '#web/ui/data/format.ts';
import { toast } from '#web/ui/feedback/toast.ts';
import { Icon } from '#web/ui/icons/Icon.tsx';
import hidden from '#web/ui/styles/text.module.css';
import { ChangeButton } from './ChangeButton.tsx';
import styles from './order.module.css';
import { pathOf } from './order-address.ts';
import { loadOrderCalls } from './use-order.ts';

type ConfirmedEvent = NonNullable<Confirmation['order']>;

interface OrderInfoProps {
  confirmation: Confirmation;
  /** Shows what the device saved; the rest needs a connection. */
  isOffline: boolean;
  onRead: () => void;
}

/** When and where, what was paid, and what the buyer can do about it. */
export function OrderInfo({ confirmation, isOffline, onRead }: OrderInfoProps) {
  const { order, details, status, confirmationData } = confirmation;
  if (!order) return null;
  const eventUrl = `/payment/${encodeURIComponent(order.eventId)}`;
  if (!details)
    return (
      <ButtonLink kind="ghost" to={eventUrl} className={styles.screenOnly}>
        {text.eventPage}
      </ButtonLink>
    );
  return (
    <div className={styles.info}>
      {!details.isCancelled && (
        <section className={styles.panel} aria-labelledby="next">
          <h2 id="next">{text.next}</h2>
          <WhenAndWhere order={order} details={details} />
          <div className={styles.actions}>
            <ButtonLink kind="ghost" href={`${eventUrl}/event.ics`}>
              <Icon name="calendar" />
              {text.calendar}
            </ButtonLink>
            {!isOffline && confirmationData.some(({ isDisputed }) => !isDisputed) && (
              <ButtonLink kind="ghost" href={`/api/public/tickets.pdf?token=${details.token}`}>
                <Icon name="download" />
                {text.downloadPdf}
              </ButtonLink>
            )}
            <ButtonLink kind="ghost" to={eventUrl}>
              {text.eventPage}
            </ButtonLink>
            {/* The server renders it. */}
            {details.hasPageChanged && (
              <ButtonLink kind="ghost" href={`${eventUrl}/changes`}>
                {text.changes}
              </ButtonLink>
            )}
          </div>
        </section>
      )}
      {!details.isHolder && <Receipt order={order} details={details} />}
      <Answers details={details} tickets={confirmationData} />
      {!isOffline && (
        <Help
          order={order}
          details={details}
          tickets={confirmationData}
          isUsable={status === 'confirmed' && !details.isCancelled && !details.isHolder}
          onRead={onRead}
        />
      )}
    </div>
  );
}

interface PartProps {
  order: ConfirmedEvent;
  details: OrderDetails;
}

function WhenAndWhere({ order, details }: PartProps) {
  const { timezone, startDate_startTime: start } = order;
  const venue = { ...details, city: order.city };
  const address = addressLine(venue);
  // The day, too, unless it is that of the start.
  const at = (moment: string) =>
    (formatDate(moment, timezone) === formatDate(start, timezone) ? formatTime : formatMoment)(moment, timezone);
  return (
    <dl className={styles.facts}>
      <div>
        <dt>{text.when}</dt>
        <dd>
          <time dateTime={start}>{formatMoment(start, timezone)}</time> {text.until(at(details.endDate_endTime))}
        </dd>
        {details.checkInOpensAt && <dd>{text.doors(at(details.checkInOpensAt))}</dd>}
      </div>
      <div>
        <dt>{text.where}</dt>
        <dd>
          {address}{' '}
          <a href={directionsTo(streetAddress(venue))} target="_blank" rel="noreferrer">
            {text.directions}
            <span className={hidden.srOnly}> to {address} (opens in a new tab)</span>
          </a>
        </dd>
      </div>
    </dl>
  );
}

function Receipt({ order, details }: PartProps) {
  const when = formatMoment(details.paidAt, order.timezone);
  const returnedCents = details.endedTickets
    .filter(({ state }) => state === 'refunded')
    .reduce((cents, { priceCents }) => cents + priceCents, 0);
  return (
    <section className={styles.panel} aria-labelledby="receipt">
      <h2 id="receipt">{text.receipt}</h2>
      <table className={styles.receipt}>
        <thead className={hidden.srOnly}>
          <tr>
            <th scope="col">{text.item}</th>
            <th scope="col">{text.amount}</th>
          </tr>
        </thead>
        <tbody>
          {details.lines.map((line) => (
            <tr key={`${line.ticketName} ${line.unitPriceCents} ${line.promoCode}`}>
              <td>{receiptLine(line)}</td>
              <td>{formatCents(line.quantity * line.unitPriceCents)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{text.total}</th>
            <td>{formatCents(details.totalCents)}</td>
          </tr>
          {details.includedTax && (
            <tr className={styles.quiet}>
              <th scope="row">{text.includedTax(details.includedTax)}</th>
              <td>{formatCents(details.includedTax.cents)}</td>
            </tr>
          )}
          {returnedCents > 0 && (
            <tr>
              <th scope="row">{text.returned}</th>
              <td>{formatCents(-returnedCents)}</td>
            </tr>
          )}
        </tfoot>
      </table>
      <p className={styles.quiet}>{sourceOf(details)(when)}</p>
    </section>
  );
}

const sourceOf = ({ isComp, totalCents }: OrderDetails) => {
  if (isComp) return text.added;
  return totalCents === 0 ? text.free : text.paid;
};

/** Not on the tickets, which others see at the door. */
function Answers({ details: { answers: ofOrder = [] }, tickets }: Pick<HelpProps, 'details' | 'tickets'>) {
  const ofTickets = tickets.flatMap(({ answers = [], ...ticket }) =>
    answers.map((given) => ({ ...given, of: nameOfTicket(ticket) })),
  );
  const all = [...ofOrder.map((given) => ({ ...given, of: '' })), ...ofTickets];
  if (all.length === 0) return null;
  return (
    <section className={styles.panel} aria-labelledby="answers">
      <h2 id="answers">{orderNames.answers}</h2>
      <dl className={styles.facts}>
        {all.map(({ of, label, answer }) => (
          <div key={`${of} ${label}`}>
            <dt>{of === '' ? label : `${of}: ${label}`}</dt>
            <dd>{answer}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

interface HelpProps extends PartProps {
  tickets: Confirmation['confirmationData'];
  /** Some of its tickets still work. */
  isUsable: boolean;
  onRead: () => void;
}

function Help({ order, details, tickets, isUsable, onRead }: HelpProps) {
  const [isBusy, setIsBusy] = useState(false);

  async function resend() {
    setIsBusy(true);
    try {
      toast.success((await (await loadOrderCalls()).resend(details.token)).msg);
    } catch (error) {
      toast.error(messageFrom(error, text.notResent));
    }
    setIsBusy(false);
  }

  return (
    <section className={styles.panel} aria-labelledby="help">
      <h2 id="help">{text.help}</h2>
      {isUsable && details.isComp && <p className={styles.quiet}>{text.cannotCome}</p>}
      {isUsable && details.areRefundsOpen && (
        <p className={styles.quiet}>{text.refundsUntil(formatMoment(details.refundsUntil, order.timezone))}</p>
      )}
      <div className={styles.actions}>
        {isUsable && (
          <Button kind="ghost" busy={isBusy} onClick={() => void resend()}>
            {isBusy ? text.resending : text.resend}
          </Button>
        )}
        <ButtonLink kind="ghost" href={`/contact/${details.token}`}>
          {contactLink}
        </ButtonLink>
        {isUsable && details.namesUntil && (
          <ChangeButton
            label={orderNames.change}
            change={{
              names: {
                token: details.token,
                tickets,
                until: formatMoment(details.namesUntil, order.timezone),
                onSaved: onRead,
              },
            }}
          />
        )}
        {isUsable && details.addressUntil && (
          <ChangeButton
            label={correctAddress.button}
            change={{
              address: {
                token: details.token,
                email: order.email,
                until: formatTime(details.addressUntil, order.timezone),
                onMoved: (token) => location.replace(pathOf({ token })),
              },
            }}
          />
        )}
      </div>
    </section>
  );
}
