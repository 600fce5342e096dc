import { Link } from 'react-router';
import { securityPage } from '#messages/security.ts';
import { Page } from '#web/ui/page/Page.tsx';
import { FactorsCard } from './factors/FactorsCard.tsx';
import { PasswordCard } from './PasswordCard.tsx';
import { SessionsCard } from './SessionsCard.tsx';
import styles from './security.module.css';

export function SecurityScreen() {
  return (
    <Page title={securityPage.title} width="text" lead={securityPage.lead}>
      <PasswordCard />
      <FactorsCard />
      <SessionsCard />
      <p className={styles.back}>
        <Link to="/profile">{securityPage.back}</Link>
      </p>
    </Page>
  );
}

export { SecurityScreen as Component };
