import { useId, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { NavLink, useLocation } from 'react-router';
import { termsTitle } from '#messages/pages.ts';
import { IconButton } from '#web/ui/button/IconButton.tsx';
import { modalHost, useModal } from '#web/ui/dialog/use-modal.ts';
import { Icon, type IconName } from '#web/ui/icons/Icon.tsx';
import { Logo } from '#web/ui/icons/Logo.tsx';
import { ThemeChoice } from './bar/ThemeChoice.tsx';
import { usePart } from './bar/use-part.ts';
import { isOrganizersScreen } from './organizers-screen.ts';
import styles from './SideNav.module.css';
import { isAdmin, isSignedIn } from './session-token.ts';

interface NavEntry {
  to: string;
  label: string;
  icon: IconName;
}

const profile: NavEntry = { to: '/profile', label: 'Your events', icon: 'ticket' };

const dashboard: NavEntry = { to: '/dashboard', label: 'Dashboard', icon: 'scale' };

const links: readonly NavEntry[] = [
  { to: '/', label: 'Home', icon: 'home' },
  { to: '/register', label: 'Register', icon: 'user-plus' },
  { to: '/login', label: 'Login', icon: 'log-in' },
  { to: '/forgot-password', label: 'Forgot Password', icon: 'key' },
  { to: '/legal', label: termsTitle, icon: 'scale' },
  { to: '/FAQ', label: 'FAQ', icon: 'help' },
];

/**
 * Read once, when the navigation first renders; an admin login shows up with the next page load. Module scope, so a
 * remounted header doesn't read it again.
 */
let admin: boolean | undefined;

export function SideNav() {
  const { key, pathname } = useLocation();
  const [openAt, setOpenAt] = useState<string | null>(null);
  // Back and forward navigate without a click in the panel.
  if (openAt !== null && openAt !== key) setOpenAt(null);
  const isOpen = openAt === key;

  return (
    <>
      <IconButton
        icon="menu"
        size={24}
        label="Open navigation"
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        onClick={() => {
          admin ??= isAdmin();
          setOpenAt(key);
        }}
      />
      {isOpen &&
        createPortal(
          <Panel admin={admin ?? false} isOrganizers={isOrganizersScreen(pathname)} onClose={() => setOpenAt(null)} />,
          modalHost(),
        )}
    </>
  );
}

function Panel({ admin, isOrganizers, onClose }: { admin: boolean; isOrganizers: boolean; onClose: () => void }) {
  const panel = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const [isLoggedIn] = useState(() => isSignedIn(new Date()));
  const offered = [...(admin ? [dashboard] : []), ...(isLoggedIn ? [profile] : []), ...links];
  // Public pages call nothing that needs a session: an ended one would cost them the cookie.
  const OrganizationChoice = usePart(isLoggedIn && isOrganizers, 'choice');
  useModal(panel, onClose, { closesOnBackdrop: true });

  return (
    <div className={styles.scrim}>
      <dialog open ref={panel} className={styles.panel} aria-labelledby={titleId} tabIndex={-1}>
        <h2 id={titleId} className={styles.title}>
          Navigation
        </h2>
        <div className={styles.head}>
          <Logo linked={false} />
          <IconButton icon="close" size={24} label="Close navigation" onClick={onClose} />
        </div>
        {OrganizationChoice && <OrganizationChoice className={styles.organization} />}
        <nav aria-labelledby={titleId}>
          <ul className={styles.links} data-admin={admin || undefined}>
            {offered.map((link) => (
              <li key={link.to}>
                <NavLink to={link.to} end className={styles.link ?? ''} onClick={onClose}>
                  <Icon name={link.icon} />
                  {link.label}
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
        <ThemeChoice />
      </dialog>
    </div>
  );
}
