import { useState } from 'react';
import { useParams } from 'react-router';
import { type myRecords } from '#contract/app/privacy.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { formatCents } from '#messages/format.ts';
import { recordsPage, retainedBecause } from '#messages/privacy.ts';
import { answered } from '#messages/sales/order-names.ts';
import { Button, ButtonLink } from '#web/ui/button/Button.tsx';
import { formatMoment } from '#web/ui/data/format.ts';
import { ConfirmDanger } from '#web/ui/dialog/ConfirmDanger.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { Page } from '#web/ui/page/Page.tsx';
import { downloadJson } from './download-json.ts';
import styles from './privacy.module.css';
import { useRecords } from './use-records.ts';

type Records = ReplyOf<typeof myRecords>;
type Purchase = Records['purchases'][number];

/** Opened by the emailed link. */
export function RecordsScreen() {
  const { token = '' } = useParams();
  const { records, problem, done, remove } = useRecords(token);

  if (done)
    return (
      <Page title={done.msg} width="text">
        <Banner kind={done.retained > 0 ? 'info' : 'success'} role="status">
          Purchases deleted: {done.deleted}. Still needed: {done.retained}.
        </Banner>
        <NewLinkForm />
      </Page>
    );
  if (problem)
    return (
      <Page title={recordsPage.failed} lead={problem} width="narrow">
        <NewLinkForm />
      </Page>
    );
  if (!records) return <Page title={recordsPage.loading}>{null}</Page>;
  return <Found records={records} onRemove={remove} />;
}

function NewLinkForm() {
  return (
    <div className={styles.actions}>
      <ButtonLink to="/privacy" kind="ghost">
        {recordsPage.askAgain}
      </ButtonLink>
    </div>
  );
}

function Found({ records, onRemove }: { records: Records; onRemove: () => Promise<void> }) {
  const [isConfirming, setIsConfirming] = useState(false);
  const { email, hasAccount, purchases, heldTickets, emails, isWhole } = records;
  return (
    <Page title={recordsPage.loading} lead={email} width="text">
      {hasAccount && <Banner>{recordsPage.account}</Banner>}
      {!isWhole && <Banner>{recordsPage.notWhole}</Banner>}
      <section className={styles.section} aria-labelledby="purchases">
        <h2 id="purchases">{recordsPage.purchases}</h2>
        {purchases.length === 0 && <p>{recordsPage.noPurchases}</p>}
        {purchases.map((purchase) => (
          <PurchaseCard key={purchase.orderId} purchase={purchase} />
        ))}
      </section>
      {heldTickets.length > 0 && (
        <section className={styles.section} aria-labelledby="held">
          <h2 id="held">{recordsPage.held}</h2>
          {heldTickets.map((ticket) => (
            <article key={ticket.ticketId} className={styles.purchase}>
              <h3>{ticket.eventTitle}</h3>
              <p>
                {[ticket.name, ticket.ticketName, ticket.confirmationNumber, ticket.state].filter(Boolean).join(', ')}
              </p>
              <Retained retained={ticket.retained} />
            </article>
          ))}
        </section>
      )}
      <section className={styles.section} aria-labelledby="emails">
        <h2 id="emails">{recordsPage.emails}</h2>
        {emails.length === 0 && <p>{recordsPage.noEmails}</p>}
        <ul className={styles.emails}>
          {emails.map(({ kind, at }) => (
            <li key={`${kind} ${at}`}>
              {kind.replaceAll('-', ' ')}, {moment(at)}
            </li>
          ))}
        </ul>
      </section>
      <div className={styles.actions}>
        <Button kind="ghost" onClick={() => downloadJson('my-records.json', records)}>
          {recordsPage.download}
        </Button>
        <Button kind="danger" onClick={() => setIsConfirming(true)}>
          {recordsPage.remove}
        </Button>
      </div>
      {isConfirming && (
        <ConfirmDanger
          title={recordsPage.confirmTitle}
          phrase={email}
          phraseLabel={recordsPage.phraseLabel}
          confirm={recordsPage.remove}
          cancelLabel={recordsPage.keep}
          onConfirm={onRemove}
          onClose={() => setIsConfirming(false)}
        >
          <ul className={styles.consequences}>
            {recordsPage.consequences.map((paragraph) => (
              <li key={paragraph}>{paragraph}</li>
            ))}
          </ul>
        </ConfirmDanger>
      )}
    </Page>
  );
}

function PurchaseCard({ purchase }: { purchase: Purchase }) {
  const { eventTitle, totalCents, boughtAt, buyerName, tickets, guests, retained } = purchase;
  return (
    <article className={styles.purchase}>
      <h3>{eventTitle}</h3>
      <p>
        {formatCents(totalCents)}
        {boughtAt && `, ${moment(boughtAt)}`}
        {buyerName && `, ${buyerName}`}
      </p>
      <ul>
        {tickets.map(({ ticketName, confirmationNumber, state }, index) => (
          // Transferred tickets have no number here.
          <li key={confirmationNumber ?? index}>
            {[ticketName, confirmationNumber ?? recordsPage.transferred, state].join(', ')}
          </li>
        ))}
      </ul>
      {guests.length > 0 && (
        <ul>
          {guests.map(({ position, name, answers, doorNote }) => (
            <li key={position}>{[name, ...answers.map(answered), doorNote].filter(Boolean).join('; ')}</li>
          ))}
        </ul>
      )}
      <Retained retained={retained} />
    </article>
  );
}

function Retained({ retained }: Pick<Purchase, 'retained'>) {
  return (
    <p className={styles.retained}>
      {retained === null && recordsPage.deletable}
      {retained && retainedBecause[retained.because]} {retained?.until && recordsPage.until(moment(retained.until))}
    </p>
  );
}

/** In the reader's time zone: a buyer has no other one here. */
const moment = (instant: string) => formatMoment(instant, Intl.DateTimeFormat().resolvedOptions().timeZone);

export { RecordsScreen as Component };
