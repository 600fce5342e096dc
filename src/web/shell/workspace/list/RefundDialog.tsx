import { useCallback, useEffect, useState } from 'react';
import { type OrderDetails, orderDetails, refundForm, refundTickets } from '#contract/app/sales/orders.ts';
import { REFUND_REASON_MAX } from '#domain/limits.ts';
import { refundCostsCents } from '#domain/payouts/refund-costs.ts';
import { orderNumber } from '#domain/sales/order-list.ts';
import { formatDollars } from '#messages/format.ts';
import { guestStateNames } from '#messages/sales/guest-table.ts';
import { orderDrawer, refundDialog as text } from '#messages/sales/orders.ts';
import { call } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import styles from '#web/ui/dialog/guest-dialogs.module.css';
import { failureFrom, type LoadFailure } from '#web/ui/feedback/load-failure.ts';
import { NotLoaded } from '#web/ui/feedback/NotLoaded.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Form } from '#web/ui/form/Form.tsx';
import { CheckboxField, TextArea } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';

interface RefundDialogProps {
  eventId: string;
  orderId: string;
  /** Chosen from the start. */
  ticketIds?: readonly string[];
  onRefunded: () => Promise<void>;
  onClose: () => void;
}

/** Refunds whole tickets of an order, and says before what it does. */
export function RefundDialog({ eventId, orderId, ticketIds = [], onRefunded, onClose }: RefundDialogProps) {
  const [order, setOrder] = useState<OrderDetails | null>(null);
  const [failure, setFailure] = useState<LoadFailure | null>(null);
  const load = useCallback(async () => {
    setFailure(null);
    try {
      setOrder(await call(orderDetails, { eventId, orderId }));
    } catch (error) {
      setFailure(failureFrom(error, orderDrawer.notLoaded));
    }
  }, [eventId, orderId]);
  useEffect(() => void load(), [load]);

  return (
    <Dialog title={text.title(orderNumber(orderId))} open onClose={onClose}>
      {!order && !failure && <p role="status">{text.loading}</p>}
      {failure && <NotLoaded msg={failure.msg} mayRetry={failure.mayRetry} onRetry={load} />}
      {order && (
        <RefundForm
          eventId={eventId}
          order={order}
          ticketIds={ticketIds}
          onRefunded={onRefunded}
          onDenied={load}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

interface RefundFormProps
  extends Required<Pick<RefundDialogProps, 'eventId' | 'ticketIds' | 'onRefunded' | 'onClose'>> {
  order: OrderDetails;
  onDenied: () => Promise<void>;
}

function RefundForm({ eventId, order, ticketIds, onRefunded, onDenied, onClose }: RefundFormProps) {
  const [wanted, setWanted] = useState<ReadonlySet<string>>(new Set(ticketIds));
  const refundable = order.tickets.filter(({ isRefundable }) => isRefundable);
  const chosen = refundable.filter(({ ticketId }) => wanted.has(ticketId) || refundable.length === 1);
  const cents = chosen.reduce((sum, { price }) => sum + centsOf(price), 0);
  const form = useForm(
    refundForm,
    async ({ reason }) => {
      if (chosen.length === 0) return toast.error(text.noneChosen);
      const chosenIds = chosen.map(({ ticketId }) => ticketId);
      try {
        toast.success((await call(refundTickets, { eventId, ticketIds: chosenIds, reason })).msg);
      } catch (error) {
        await onDenied();
        throw error;
      }
      await onRefunded();
      onClose();
    },
    { fallback: text.failed },
  );
  if (refundable.length === 0) return <p>{text.none}</p>;

  const set = (ticketId: string, isChosen: boolean) =>
    setWanted((last) => new Set([...last, ticketId].filter((one) => one !== ticketId || isChosen)));
  return (
    <Form form={form} className={styles.form}>
      <fieldset className={styles.choice}>
        <legend>{text.choose}</legend>
        {order.tickets.map(({ ticketId, position, ticketName, name, price, state, isRefundable }) =>
          isRefundable ? (
            <CheckboxField
              key={ticketId}
              name={`ticket${position}`}
              label={text.ticket(position, ticketName, price > 0 ? formatDollars(price) : text.free)}
              {...(name !== null && { hint: name })}
              checked={chosen.some((one) => one.ticketId === ticketId)}
              onChange={(change) => set(ticketId, change.target.checked)}
            />
          ) : (
            <p key={ticketId} className={styles.quiet}>
              {text.ticket(position, ticketName, guestStateNames[state])}
            </p>
          ),
        )}
        {refundable.length > 1 && chosen.length < refundable.length && (
          <Button kind="ghost" onClick={() => setWanted(new Set(refundable.map(({ ticketId }) => ticketId)))}>
            {text.all}
          </Button>
        )}
      </fieldset>
      <TextArea
        label={text.reason}
        name="reason"
        hint={text.reasonHint}
        counterMax={REFUND_REASON_MAX}
        rows={2}
        autoComplete="off"
      />
      <div role="status">
        {chosen.length > 0 ? <Effect order={order} tickets={chosen.length} cents={cents} /> : <p>{text.noneChosen}</p>}
      </div>
      <div className={styles.choices}>
        <Button kind="danger" type="submit" busy={form.submitting}>
          {form.submitting ? text.sending : text.confirm(cents, chosen.length)}
        </Button>
        <Button kind="ghost" onClick={onClose}>
          {text.cancel}
        </Button>
      </div>
    </Form>
  );
}

function Effect({ order, tickets, cents }: { order: OrderDetails; tickets: number; cents: number }) {
  const costsCents = costsOf(order, cents);
  return (
    <>
      <p>{text.effect(cents, tickets)}</p>
      {costsCents > 0 && <p>{text.costs(costsCents)}</p>}
    </>
  );
}

/** What Stripe's fee costs the organizer more than now. */
function costsOf({ payment }: OrderDetails, cents: number): number {
  if (!payment?.bearsCosts) return 0;
  const { cardFee, refunded } = payment.bearsCosts;
  const costsAt = (refundedCents: number) =>
    refundCostsCents([
      { payments: 1, feeCents: centsOf(cardFee), chargedCents: centsOf(payment.charged), refundedCents },
    ]);
  return costsAt(centsOf(refunded) + cents) - costsAt(centsOf(refunded));
}

const centsOf = (dollars: number) => Math.round(dollars * 100);
