import { Link } from 'react-router';
import styles from './Logo.module.css';

/** Logo and name, linked to the home page unless disabled. */
export function Logo({ linked = true, size = 30 }: { linked?: boolean; size?: number }) {
  const mark = (
    <>
      <LogoMark size={size} />
      <span>Handstamp</span>
    </>
  );
  if (!linked) return <span className={styles.logo}>{mark}</span>;
  return (
    <Link to="/" className={styles.logo} aria-label="Handstamp, home">
      {mark}
    </Link>
  );
}

export function LogoMark({ size = 30 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" fill="none" stroke="currentColor" aria-hidden="true">
      <circle cx="16" cy="16" r="14.5" strokeWidth="3" />
      <path d="M10 8v16M22 8v16M10 16h12" strokeWidth="4" strokeLinecap="square" transform="rotate(-11 16 16)" />
    </svg>
  );
}
