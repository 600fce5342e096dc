import { useState } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { type requestRefund } from '#contract/app/refunds.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { refundFollowUp } from '#messages/refunds.ts';
import { usePageProps } from '#web/page-props-context.ts';
import { ButtonLink } from '#web/ui/button/Button.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { Page } from '#web/ui/page/Page.tsx';
import { RefundForm } from './RefundForm.tsx';
import { RefundWindow } from './RefundWindow.tsx';
import styles from './refund.module.css';

export function RefundScreen() {
  const { eventId = '' } = useParams();
  const [query] = useSearchParams();
  const embedded = usePageProps().refund;
  const page = embedded?.eventId === eventId ? embedded : null;
  const [accepted, setAccepted] = useState<ReplyOf<typeof requestRefund> | null>(null);

  return (
    <Page title="Request a Refund" lead={page?.title} width="narrow">
      {/* Rendered from the start, so the answer is announced. */}
      <div role="status">
        {accepted && (
          <Banner kind="success" title={accepted.msg}>
            <p>{accepted.amount > 0 ? refundFollowUp.paid : refundFollowUp.free}</p>
          </Banner>
        )}
      </div>
      {accepted ? (
        <ButtonLink to={`/payment/${encodeURIComponent(eventId)}`} kind="ghost">
          Back to the event
        </ButtonLink>
      ) : (
        <div className={styles.form}>
          <RefundWindow page={page} />
          <RefundForm eventId={eventId} code={query.get('code') ?? ''} onAccepted={setAccepted} />
        </div>
      )}
    </Page>
  );
}

export { RefundScreen as Component };
