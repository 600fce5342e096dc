import { Link } from 'react-router';
import { lostTickets, supportAccount, supportMailbox } from '#messages/contacts.ts';
import { Logo } from '#web/ui/icons/Logo.tsx';

import styles from './Footer.module.css';

export function Footer() {
  return (
    <footer className={styles.footer}>
      <div className={styles.inside}>
        <div className={styles.about}>
          <Logo linked={false} size={24} />
          {/* Server and browser may disagree around midnight on New Year's Eve. */}
          <p suppressHydrationWarning>© {new Date().getFullYear()} Handstamp. A product of Handstamp Software.</p>
        </div>
        <nav className={styles.links} aria-label="Footer">
          <Link to="/find-tickets">{lostTickets}</Link>
          <Link to="/Legal">Terms, privacy and cookies</Link>
          <Link to="/privacy">Your data</Link>
          <a href={`mailto:${supportMailbox}`}>{supportMailbox}</a>
          <a href={supportAccount.url} rel="noreferrer me">
            {supportAccount.name} on {supportAccount.network}
          </a>
        </nav>
      </div>
    </footer>
  );
}
