import { useCallback, useEffect, useState } from 'react';
import { Link } from 'react-router';
import { type OrganizationFunds, organizationFunds } from '#contract/app/records/funds.ts';
import { formatCents } from '#messages/format.ts';
import { fundsPage as text } from '#messages/records/funds.ts';
import { call } from '#web/api.ts';
import { type Column, DataTable } from '#web/ui/data/DataTable.tsx';
import { formatDate, formatShort } from '#web/ui/data/format.ts';
import { failureFrom, type LoadFailure } from '#web/ui/feedback/load-failure.ts';
import { NotLoaded } from '#web/ui/feedback/NotLoaded.tsx';
import { Page } from '#web/ui/page/Page.tsx';
import shared from '../security.module.css';
import styles from './funds.module.css';
import { ProofCard } from './ProofCard.tsx';

type EventWithMoney = OrganizationFunds['events'][number];

export function FundsScreen() {
  const { funds, failure, reload } = useFunds();
  return (
    <Page title={text.title} lead={text.lead}>
      {failure && <NotLoaded {...failure} onRetry={reload} />}
      {funds && (
        <>
          <section className={shared.card} aria-label={text.caption}>
            {funds.events.length === 0 ? (
              <p className={shared.why}>{text.none}</p>
            ) : (
              <DataTable
                caption={text.caption}
                columns={columns}
                rows={funds.events}
                keyOf={({ eventId }) => eventId}
              />
            )}
            <dl className={styles.sums}>
              {funds.debtCents !== 0 && (
                <div>
                  <dt>{funds.debtCents > 0 ? text.debt : text.overDeducted}</dt>
                  <dd>{formatCents(-funds.debtCents)}</dd>
                </div>
              )}
              <div>
                <dt>{text.total}</dt>
                <dd>{formatCents(funds.totalCents)}</dd>
              </div>
            </dl>
            <p className={shared.why}>
              {funds.comparedAt ? text.compared(formatShort(funds.comparedAt, timeZone())) : text.neverCompared}
            </p>
          </section>
          {funds.signedDay && <ProofCard day={funds.signedDay} proof={funds.proof} />}
        </>
      )}
      <p className={shared.back}>
        <Link to="/profile">{text.back}</Link>
      </p>
    </Page>
  );
}

const columns: Column<EventWithMoney>[] = [
  { label: text.event, cell: ({ title }) => title },
  { label: text.owed, cell: ({ owedCents }) => formatCents(owedCents), numeric: true },
  {
    label: text.next,
    cell: ({ state, dueAt, timezone, onHoldCents, differs }) => (
      <span className={styles.next}>
        <span>{text.nextOf(state, formatDate(dueAt, timezone))}</span>
        {onHoldCents > 0 && <span>{text.onHold(formatCents(onHoldCents))}</span>}
        {differs && <strong>{text.differs}</strong>}
      </span>
    ),
  },
];

const timeZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

function useFunds() {
  const [funds, setFunds] = useState<OrganizationFunds | null>(null);
  const [failure, setFailure] = useState<LoadFailure | null>(null);
  const reload = useCallback(async () => {
    try {
      setFunds(await call(organizationFunds, {}));
      setFailure(null);
    } catch (error) {
      setFailure(failureFrom(error, text.notLoaded));
    }
  }, []);
  useEffect(() => void reload(), [reload]);
  return { funds, failure, reload };
}

export { FundsScreen as Component };
