import { useCallback, useEffect, useState } from 'react';
import { type PublicFunds, publicFunds } from '#contract/app/records/funds.ts';
import { formatCents } from '#messages/format.ts';
import { trustPage as text } from '#messages/records/funds.ts';
import { call, codeFrom } from '#web/api.ts';
import { Chip } from '#web/ui/data/Chip.tsx';
import { type Column, DataTable } from '#web/ui/data/DataTable.tsx';
import { formatShort } from '#web/ui/data/format.ts';
import { failureFrom, type LoadFailure } from '#web/ui/feedback/load-failure.ts';
import { NotLoaded } from '#web/ui/feedback/NotLoaded.tsx';
import { Page } from '#web/ui/page/Page.tsx';
import shared from '../security.module.css';
import styles from './funds.module.css';

type Reading = NonNullable<PublicFunds['reading']>;

export function TrustScreen() {
  const { funds, failure, reload } = useFunds();
  return (
    <Page title={text.title} lead={text.lead}>
      {failure && <NotLoaded {...failure} onRetry={reload} />}
      {funds && (
        <>
          <section className={shared.card} aria-label={text.title}>
            {funds.reading ? <Balance reading={funds.reading} /> : <p>{text.notRead}</p>}
            <p className={shared.why}>
              {funds.reading && `${text.read(timeOf(funds.reading.readAt))} `}
              {funds.comparedAt ? text.compared(timeOf(funds.comparedAt)) : text.neverCompared}
            </p>
          </section>
          <section className={shared.card} aria-labelledby="signed-totals">
            <h2 id="signed-totals">{text.snapshots}</h2>
            {funds.snapshots.length === 0 ? (
              <p>{text.noSnapshots}</p>
            ) : (
              <DataTable caption={text.snapshots} columns={columns} rows={funds.snapshots} keyOf={({ day }) => day} />
            )}
          </section>
          <section className={shared.card} aria-labelledby="how-to-check">
            <h2 id="how-to-check">{text.howTitle}</h2>
            <ol className={styles.steps}>
              {text.how.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
          </section>
        </>
      )}
    </Page>
  );
}

const TONES = { covered: 'ok', short: 'bad', differs: 'bad', stale: 'bad' } as const;

function Balance({ reading: { state, organizersCents, buyersCents, balanceCents } }: { reading: Reading }) {
  const { short, long } = text.stateOf(state);
  const rows = [
    [text.organizers, organizersCents],
    [text.buyers, buyersCents],
    [text.balance, balanceCents],
  ] as const;
  return (
    <>
      <p className={styles.state}>
        <Chip tone={TONES[state]}>{short}</Chip> <span>{long}</span>
      </p>
      <dl className={styles.sums}>
        {rows.map(([label, cents]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{formatCents(cents)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

const columns: Column<PublicFunds['snapshots'][number]>[] = [
  { label: text.day, cell: ({ day }) => <time className={styles.day}>{day}</time> },
  { label: text.total, cell: ({ totalCents }) => formatCents(totalCents), numeric: true },
  { label: text.root, cell: ({ root }) => <code className={styles.hash}>{root}</code> },
  {
    label: text.signature,
    cell: ({ signature, publicKey }) => (
      <code className={styles.hash}>
        {signature} {publicKey}
      </code>
    ),
  },
];

const timeOf = (at: string) => formatShort(at, new Intl.DateTimeFormat().resolvedOptions().timeZone);

function useFunds() {
  const [funds, setFunds] = useState<PublicFunds | null>(null);
  const [failure, setFailure] = useState<LoadFailure | null>(null);
  const reload = useCallback(async () => {
    try {
      setFunds(await call(publicFunds, {}));
      setFailure(null);
    } catch (error) {
      const isPublished = codeFrom(error) !== 'page.not-found';
      setFailure(isPublished ? failureFrom(error, text.notLoaded) : { msg: text.notPublished, mayRetry: false });
    }
  }, []);
  useEffect(() => void reload(), [reload]);
  return { funds, failure, reload };
}

export { TrustScreen as Component };
