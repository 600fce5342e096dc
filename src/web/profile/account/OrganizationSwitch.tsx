import { OrganizationChoice } from '#web/shell/organization/OrganizationChoice.tsx';
import styles from './OrganizationSwitch.module.css';

/** The organization's name, or a choice for people in several. */
export function OrganizationSwitch({ name }: { name: string }) {
  return <OrganizationChoice className={styles.choice} otherwise={<p className={styles.eyebrow}>{name}</p>} />;
}
