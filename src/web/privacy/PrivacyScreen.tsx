import { useId } from 'react';
import { Link } from 'react-router';
import { privacyPage } from '#messages/privacy.ts';
import { buyerRetention, commonRetention, organizerRetention } from '#messages/retention.ts';
import { DataTable } from '#web/ui/data/DataTable.tsx';
import { Page } from '#web/ui/page/Page.tsx';
import styles from './privacy.module.css';
import { RecordsForm } from './RecordsForm.tsx';

type RetentionRow = (typeof buyerRetention)[number];

const columns = [
  { label: privacyPage.what, cell: (retained: RetentionRow) => <strong>{retained.what}</strong> },
  { label: privacyPage.why, cell: (retained: RetentionRow) => retained.why },
  { label: privacyPage.howLong, cell: (retained: RetentionRow) => retained.howLong },
];

export function PrivacyScreen() {
  return (
    <Page title={privacyPage.title} lead={privacyPage.lead} className={styles.page}>
      <RecordsForm />
      <Section title={privacyPage.buyers} rows={buyerRetention} />
      <Section title={privacyPage.organizers} rows={organizerRetention}>
        <p>
          {privacyPage.organizerRights} <Link to="/profile">Go to your profile</Link>
        </p>
      </Section>
      <Section title={privacyPage.everyone} rows={commonRetention}>
        <p>{privacyPage.daily}</p>
        <p>{privacyPage.stripe}</p>
        <p>
          For everything else, see the <Link to="/legal#privacy">privacy policy</Link>.
        </p>
      </Section>
    </Page>
  );
}

function Section({
  title,
  rows,
  children,
}: {
  title: string;
  rows: readonly RetentionRow[];
  children?: React.ReactNode;
}) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <DataTable
        caption={title}
        columns={columns}
        rows={rows}
        keyOf={({ what }) => what}
        className={styles.retention}
      />
      {children}
    </section>
  );
}

export { PrivacyScreen as Component };
