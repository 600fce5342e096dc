import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import type { EarlyCheckInPage } from '#contract/app/early-check-ins.ts';
import { earlyCheckInHeadline, earlyCheckInPage, objectionOffer } from '#messages/early-check-in.ts';
import { Button, ButtonLink } from '#web/ui/button/Button.tsx';
import { formatMoment, formatShort } from '#web/ui/data/format.ts';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { Page } from '#web/ui/page/Page.tsx';
import { useFocusOnHeading } from '#web/ui/page/use-focus-on-heading.ts';
import text from '#web/ui/styles/text.module.css';
import styles from './early-check-in.module.css';
import { useEarlyCheckIn } from './use-early-check-in.ts';

/** Opened by the link in the email about a check-in long before the start. Opening it changes nothing. */
export function EarlyCheckInScreen() {
  const { eventId = '', token = '' } = useParams();
  const { checkIn, problem, confirmation, isLoading, load, isObjecting, object } = useEarlyCheckIn(eventId, token);
  useFocusOnHeading(confirmation !== '' && checkIn?.state === 'objected');

  return (
    <>
      {/* One live region for every state, so each change is announced. */}
      <p className={text.srOnly} role="status">
        {confirmation}
      </p>
      {checkIn && <Found checkIn={checkIn} eventId={eventId} isObjecting={isObjecting} onObject={object} />}
      {!checkIn && !problem && <Page title={earlyCheckInPage.loading}>{null}</Page>}
      {!checkIn && problem && (
        <Page title={earlyCheckInPage.failed} lead={problem} width="narrow">
          <div className={styles.actions}>
            <Button busy={isLoading} onClick={load}>
              {earlyCheckInPage.again}
            </Button>
            <ToEvent eventId={eventId} />
          </div>
        </Page>
      )}
    </>
  );
}

interface FoundProps {
  checkIn: EarlyCheckInPage;
  eventId: string;
  isObjecting: boolean;
  onObject: () => void;
}

function Found({ checkIn, eventId, isObjecting, onObject }: FoundProps) {
  const { state, eventTitle, timezone, ticketName, confirmationNumber, startsAt, scannedAt, refundsCloseAt } = checkIn;
  const when = formatMoment(scannedAt, timezone);
  const { title, lead } = earlyCheckInHeadline(state, { when, until: formatMoment(refundsCloseAt, timezone) });
  return (
    <Page title={title} lead={lead} width="text">
      <div className={styles.checkIn}>
        <dl className={styles.details}>
          <Detail term={earlyCheckInPage.event}>{eventTitle}</Detail>
          <Detail term={earlyCheckInPage.ticket}>{ticketName}</Detail>
          <Detail term={earlyCheckInPage.number}>
            <span className={text.mono}>{confirmationNumber}</span>
          </Detail>
          <Detail term={earlyCheckInPage.starts}>
            <time dateTime={startsAt}>{formatShort(startsAt, timezone)}</time>
          </Detail>
          <Detail term={earlyCheckInPage.checkedIn}>
            <time dateTime={scannedAt}>{formatShort(scannedAt, timezone)}</time>
          </Detail>
        </dl>
        {state === 'checked-in' && (
          <Banner kind="warning" title={objectionOffer.title}>
            <div className={styles.offer}>
              <p>{objectionOffer.lead}</p>
              <Button kind="gold" size="lg" busy={isObjecting} onClick={onObject}>
                {isObjecting ? objectionOffer.busy : objectionOffer.button}
              </Button>
            </div>
          </Banner>
        )}
        <div className={styles.actions}>
          {(state === 'undone' || state === 'undone-at-door') && (
            <ButtonLink to={`/refund/${encodeURIComponent(eventId)}?code=${confirmationNumber}`}>
              {earlyCheckInPage.toRefund}
            </ButtonLink>
          )}
          <ToEvent eventId={eventId} />
        </div>
      </div>
    </Page>
  );
}

function ToEvent({ eventId }: { eventId: string }) {
  return (
    <ButtonLink to={`/payment/${encodeURIComponent(eventId)}`} kind="ghost">
      {earlyCheckInPage.toEvent}
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

export { EarlyCheckInScreen as Component };
