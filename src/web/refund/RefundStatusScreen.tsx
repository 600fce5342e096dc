import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import type { RefundStatus } from '#contract/app/refunds.ts';
import { formatDollars } from '#messages/format.ts';
import {
  freeTicketHeadline,
  keepTicketOffer,
  refundHeadline,
  refundPageMessages,
  refundSteps,
} from '#messages/refunds.ts';
import { Button, ButtonLink } from '#web/ui/button/Button.tsx';
import { formatMoment } from '#web/ui/data/format.ts';
import { Timeline } from '#web/ui/data/Timeline.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { Page } from '#web/ui/page/Page.tsx';
import { useFocusOnHeading } from '#web/ui/page/use-focus-on-heading.ts';
import text from '#web/ui/styles/text.module.css';
import styles from './refund-status.module.css';
import { stepsOf } from './refund-steps.ts';
import { useRefundStatus } from './use-refund-status.ts';

/** Opened by the link in a refund email. */
export function RefundStatusScreen() {
  const { eventId = '', token = '' } = useParams();
  const { refund, problem, confirmation, isLoading, load, isKeeping, keep } = useRefundStatus(eventId, token);
  useFocusOnHeading(confirmation !== '' && refund?.state === 'restored');

  return (
    <>
      {/* One live region for every state, so each change is announced. */}
      <p className={text.srOnly} role="status">
        {confirmation}
      </p>
      {refund && <Found refund={refund} eventId={eventId} isKeeping={isKeeping} onKeep={keep} />}
      {!refund && !problem && <Page title={refundPageMessages.loading}>{null}</Page>}
      {!refund && problem && (
        <Page title={refundPageMessages.failed} lead={problem} width="narrow">
          <div className={styles.actions}>
            <Button busy={isLoading} onClick={load}>
              {refundPageMessages.again}
            </Button>
            <ToEvent eventId={eventId} />
          </div>
        </Page>
      )}
    </>
  );
}

interface FoundProps {
  refund: RefundStatus;
  eventId: string;
  isKeeping: boolean;
  onKeep: () => void;
}

function Found({ refund, eventId, isKeeping, onKeep }: FoundProps) {
  const { eventTitle, ticketName, confirmationNumber, isCancelable } = refund;
  const { title, lead } = headlineOf(refund);
  return (
    <Page title={title} lead={lead} width="text">
      <div className={styles.refund}>
        <dl className={styles.details}>
          <Detail term="Event">{eventTitle}</Detail>
          <Detail term="Ticket">{ticketName}</Detail>
          {confirmationNumber !== null && (
            <Detail term="Confirmation number">
              <span className={text.mono}>{confirmationNumber}</span>
            </Detail>
          )}
          <Detail term="Amount">
            <span className={text.num}>{amountOf(refund)}</span>
          </Detail>
        </dl>
        <Timeline label={refundSteps.label} steps={stepsOf(refund)} />
        {isCancelable && (
          <Banner kind="warning" title={keepTicketOffer.title}>
            <div className={styles.offer}>
              <p>{keepTicketOffer.lead}</p>
              <Button kind="gold" size="lg" busy={isKeeping} onClick={onKeep}>
                {isKeeping ? keepTicketOffer.busy : keepTicketOffer.button}
              </Button>
            </div>
          </Banner>
        )}
        <div className={styles.actions}>
          <ToEvent eventId={eventId} />
        </div>
      </div>
    </Page>
  );
}

function ToEvent({ eventId }: { eventId: string }) {
  return (
    <ButtonLink to={`/payment/${encodeURIComponent(eventId)}`} kind="ghost">
      {refundPageMessages.toEvent}
    </ButtonLink>
  );
}

function Detail({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const amountOf = ({ amount }: RefundStatus) => formatDollars(amount);

function headlineOf(refund: RefundStatus) {
  const { state, amount, sendAfter, timezone } = refund;
  const when = formatMoment(sendAfter, timezone);
  if (amount === 0 && state !== 'restored') return freeTicketHeadline({ isScheduled: state === 'scheduled', when });
  return refundHeadline(state, { amount: amountOf(refund), when });
}

export { RefundStatusScreen as Component };
