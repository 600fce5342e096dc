import { type ReactNode, useLayoutEffect, useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { type CheckoutPage, continueCheckout } from '#contract/app/sales/checkout-page.ts';
import { confirmFreeOrder } from '#contract/app/sales/free-orders.ts';
import { formatCents } from '#messages/format.ts';
import { outage } from '#messages/pages.ts';
import { detailsPage as details } from '#messages/sales/details.ts';
import { freeOrderPage as text } from '#messages/sales/free-orders.ts';
import { call, messageFrom } from '#web/api.ts';
import { settleCheckout } from '#web/buyer-storage.ts';
import { Button, ButtonLink } from '#web/ui/button/Button.tsx';
import { formatTime } from '#web/ui/data/format.ts';
import { toast } from '#web/ui/feedback/toast.ts';
import { Page } from '#web/ui/page/Page.tsx';
import { useFocusOnHeading } from '#web/ui/page/use-focus-on-heading.ts';
import hidden from '#web/ui/styles/text.module.css';
import { CodeStep } from './CodeStep.tsx';
import styles from './checkout-page.module.css';
import { DetailsStep } from './DetailsStep.tsx';
import { EmailStep } from './EmailStep.tsx';
import { goToPayment } from './go-to-payment.ts';
import { OrderSummary } from './OrderSummary.tsx';
import { useCheckoutPage } from './use-checkout-page.ts';

/** Reserved tickets whose buyer answers what the event asks, and proves an email address if they cost nothing. */
export function CheckoutScreen() {
  const { handle = '' } = useParams();
  const [query] = useSearchParams();
  const token = query.get('token');
  const navigate = useNavigate();
  const { order, problem, returns, isSending, read, setOrder } = useCheckoutPage(handle);
  const [isChangingAddress, setIsChangingAddress] = useState(false);

  const status = order?.status;
  // Before the buyer can go back to the event.
  useLayoutEffect(() => {
    if (status === 'confirmed') settleCheckout(handle);
  }, [status, handle]);

  function openTickets(sessionId: string) {
    settleCheckout(handle);
    void navigate(`/success?${new URLSearchParams({ session_id: sessionId }).toString()}`, { replace: true });
  }

  if (!order)
    return (
      <Page title={problem === null ? text.loading : text.notLoaded} lead={problem} width="narrow">
        {problem !== null && <Button onClick={() => void read()}>{text.retry}</Button>}
      </Page>
    );

  const proof = { handle, onProved: openTickets, onEnded: () => void read() };
  if (order.status === 'expired')
    return (
      <Step title={text.expiredTitle} lead={text.expiredLead}>
        <ToEvent order={order} />
      </Step>
    );
  if (order.status === 'paying')
    return (
      <Step title={details.payingTitle} lead={details.payingLead}>
        <OrderSummary order={order} />
        <ToEvent order={order} />
      </Step>
    );
  if (order.details)
    return (
      <Step title={details.title} lead={details.held(formatTime(order.reservedUntil, order.timezone))}>
        <OrderSummary order={order} />
        <DetailsStep
          handle={handle}
          page={order}
          asked={order.details}
          onSending={(is) => {
            isSending.current = is;
          }}
          onSent={() => void read()}
          onEnded={proof.onEnded}
        />
      </Step>
    );
  if (order.status === 'open' && order.totalCents > 0) return <PayStep key={returns} handle={handle} order={order} />;
  if (token !== null) return <LinkStep order={order} token={token} {...proof} />;
  if (order.status === 'confirmed')
    return (
      <Step title={text.confirmedTitle} lead={text.confirmedLead(order.sentTo?.email ?? null)}>
        <OrderSummary order={order} />
        <p className={styles.hint}>{text.confirmedHint}</p>
        <ToEvent order={order} />
      </Step>
    );
  if (order.sentTo === null || isChangingAddress)
    return (
      <Step title={text.title} lead={text.noCharge}>
        <OrderSummary order={order} />
        <EmailStep
          handle={handle}
          address={order.sentTo?.email}
          onSent={(next) => {
            setIsChangingAddress(false);
            setOrder(next);
          }}
          onProved={openTickets}
          onEnded={proof.onEnded}
        />
        <Held order={order} />
      </Step>
    );
  return (
    <Step title={text.sentTitle} lead={text.sentTo(order.sentTo.email)}>
      <OrderSummary order={order} />
      <CodeStep
        key={order.sentTo.email}
        {...proof}
        email={order.sentTo.email}
        onSent={setOrder}
        onOtherAddress={() => setIsChangingAddress(true)}
      />
      <Held order={order} />
    </Step>
  );
}

/** Each step has its own heading, which gets the focus when it replaces another. */
function Step({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  const [first] = useState(title);
  const [changes, setChanges] = useState({ title: first, count: 0 });
  if (changes.title !== title) setChanges({ title, count: changes.count + 1 });
  useFocusOnHeading(changes.count);
  return (
    <Page title={title} lead={lead} width="narrow">
      <p className={hidden.srOnly} role="status">
        {changes.count > 0 && `${title}. ${lead}`}
      </p>
      {children}
    </Page>
  );
}

/** For a buyer who comes back from the payment page. */
function PayStep({ handle, order }: { handle: string; order: CheckoutPage }) {
  const [isBusy, setIsBusy] = useState(false);

  async function pay() {
    setIsBusy(true);
    try {
      await goToPayment(order.eventId, { handle, page: await call(continueCheckout, { handle }) });
    } catch (error) {
      toast.error(messageFrom(error, outage));
      setIsBusy(false);
    }
  }

  return (
    <Step title={details.doneTitle} lead={details.doneLead}>
      <OrderSummary order={order} />
      <Button kind="gold" size="lg" busy={isBusy} onClick={() => void pay()}>
        {isBusy ? details.opening : details.toPayment(formatCents(order.totalCents))}
      </Button>
      <ToEvent order={order} />
    </Step>
  );
}

interface LinkStepProps {
  order: CheckoutPage;
  token: string;
  handle: string;
  onProved: (sessionId: string) => void;
  onEnded: () => void;
}

/** Opened from the email. Changes nothing by itself, because mail scanners open links. */
function LinkStep({ order, token, handle, onProved, onEnded }: LinkStepProps) {
  const [isBusy, setIsBusy] = useState(false);

  async function confirm() {
    setIsBusy(true);
    try {
      onProved((await call(confirmFreeOrder, { handle, token })).sessionId);
    } catch (error) {
      toast.error(messageFrom(error, text.notConfirmed));
      onEnded();
      setIsBusy(false);
    }
  }

  const isConfirmed = order.status === 'confirmed';
  return (
    <Step title={isConfirmed ? text.yoursTitle : text.linkTitle} lead={isConfirmed ? text.yoursLead : text.linkLead}>
      <OrderSummary order={order} />
      <Button kind="gold" size="lg" busy={isBusy} onClick={() => void confirm()}>
        {isConfirmed ? text.openTickets : text.linkButton}
      </Button>
      {!isConfirmed && <p className={styles.hint}>{text.notYou}</p>}
      {!isConfirmed && <Held order={order} />}
    </Step>
  );
}

const Held = ({ order: { reservedUntil, timezone } }: { order: CheckoutPage }) => (
  <p className={styles.hint}>{text.held(formatTime(reservedUntil, timezone))}</p>
);

const ToEvent = ({ order: { eventId } }: { order: CheckoutPage }) => (
  <div className={styles.actions}>
    <ButtonLink kind="ghost" to={`/payment/${encodeURIComponent(eventId)}`}>
      {text.toEvent}
    </ButtonLink>
  </div>
);

export { CheckoutScreen as Component };
