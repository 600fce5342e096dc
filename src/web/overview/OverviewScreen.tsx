import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { overview as text } from '#messages/records/overview.ts';
import { guestTablePage } from '#messages/sales/guest-table.ts';
import { Page } from '#web/ui/page/Page.tsx';
import { usePageTitle } from '#web/ui/page/page-title.ts';
import { Overview } from './Overview.tsx';
import styles from './overview.module.css';

export function OverviewScreen() {
  const { eventId = '' } = useParams();
  const [title, setTitle] = useState('');
  usePageTitle(title ? `${text.title} · ${title}` : text.title);
  return (
    <Page heading={null} className={styles.screen}>
      <header className={styles.head}>
        <p className={styles.path}>
          <Link to="/profile">{guestTablePage.back}</Link>
          {title && <span aria-hidden="true"> / {text.title}</span>}
        </p>
        <h1 tabIndex={-1}>{title || text.title}</h1>
      </header>
      {/* Remounts for another event. */}
      <Overview key={eventId} eventId={eventId} onTitle={setTitle} />
    </Page>
  );
}

export { OverviewScreen as Component };
