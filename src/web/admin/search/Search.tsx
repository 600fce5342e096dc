import type { ReactNode } from 'react';
import { adminSearch } from '#contract/app/brakes.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { searchTexts as text } from '#messages/operations/brakes.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { Form } from '#web/ui/form/Form.tsx';
import { TextField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import { FoundEvent } from './FoundEvent.tsx';
import { FoundOrder } from './FoundOrder.tsx';
import { FoundOrganization } from './FoundOrganization.tsx';
import styles from './Search.module.css';
import { useSearch } from './use-search.ts';

/** Finds orders, and what an operator can stop. Without a query, shows what is stopped. */
export function Search() {
  const { found, isFailed, search, again } = useSearch();
  const form = useForm(adminSearch.input, ({ q = '' }) => search(q));

  return (
    <section className={styles.search} aria-labelledby="search-title">
      <h2 id="search-title">{text.title}</h2>
      <Form form={form} className={styles.form}>
        <TextField label={text.label} name="q" type="search" hint={text.hint} autoComplete="off" />
        <Button type="submit" busy={form.submitting}>
          {text.submit}
        </Button>
      </Form>
      {isFailed && <Banner kind="error" role="alert" title={text.failed} />}
      <div role="status">{found && <p className={styles.summary}>{summaryOf(found.q, countOf(found.reply))}</p>}</div>
      {found && (
        <>
          <Results title={text.orders} total={found.reply.totalOrders}>
            {found.reply.orders.map((order) => (
              <FoundOrder key={order.orderId} order={order} />
            ))}
          </Results>
          <Results title={text.organizations} total={found.reply.totalOrganizations}>
            {found.reply.organizations.map((organization) => (
              <FoundOrganization key={organization.organizationId} organization={organization} onChanged={again} />
            ))}
          </Results>
          <Results title={text.events} total={found.reply.totalEvents}>
            {found.reply.events.map((event) => (
              <FoundEvent key={event.eventId} event={event} onChanged={again} />
            ))}
          </Results>
        </>
      )}
    </section>
  );
}

function Results({ title, total, children }: { title: string; total: number; children: ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul className={styles.results} aria-label={title}>
        {children}
      </ul>
      {total > children.length && <p className={styles.more}>{text.more(total - children.length)}</p>}
    </>
  );
}

const countOf = ({ orders, organizations, events }: ReplyOf<typeof adminSearch>) =>
  orders.length + organizations.length + events.length;

function summaryOf(q: string, count: number): string {
  if (q === '') return count > 0 ? text.braked : text.nothingBraked;
  return count > 0 ? text.found(q) : text.notFound(q);
}
