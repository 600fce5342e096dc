import { useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { organizations } from '#contract/app/team.ts';
import { type Action, isAllowed, type Role } from '#domain/accounts/roles.ts';
import { topBar as text } from '#messages/records/top-bar.ts';
import { call } from '#web/api.ts';
import { isAdmin } from '#web/shell/session-token.ts';
import { createEventAt } from '#web/shell/workspace/addresses.ts';
import { PaletteButton } from '#web/shell/workspace/PaletteButton.tsx';
import { mayCreateEvents } from '#web/shell/workspace/tabs.ts';
import { ButtonLink } from '#web/ui/button/Button.tsx';
import { AccountMenu } from './AccountMenu.tsx';
import styles from './top-bar.module.css';

/** Between logo and hamburger, on wide screens. It comes whole, so that nothing in it moves. */
export function TopBar() {
  const { pathname } = useLocation();
  const me = useMe();
  if (!me) return null;
  const may = (action: Action) => me.role !== null && isAllowed({ role: me.role, onlyEventIds: null }, action);
  const isHome = /^\/profile\b/i.test(pathname);
  const places = [
    { to: '/profile', label: text.events, isOpen: isHome || /^\/(?:events|door)\b/i.test(pathname) },
    ...(may('payout.view') ? [{ to: '/money', label: text.money, isOpen: /^\/money\b/i.test(pathname) }] : []),
    ...(isAdmin() ? [{ to: '/dashboard', label: text.operator, isOpen: /^\/dashboard\b/i.test(pathname) }] : []),
  ];
  return (
    <div className={styles.bar}>
      <nav aria-label={text.label}>
        <ul className={styles.places}>
          {places.map(({ to, label, isOpen }) => (
            <li key={to}>
              <Link to={to} className={styles.place} aria-current={isOpen ? 'page' : undefined}>
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className={styles.tools}>
        <PaletteButton className={styles.find} />
        {/* The home has its own. */}
        {!isHome && me.role !== null && mayCreateEvents({ ...me, role: me.role }) && (
          <ButtonLink kind="gold" to={createEventAt} className={styles.create}>
            {text.create}
          </ButtonLink>
        )}
        <AccountMenu name={me.name} />
      </div>
    </div>
  );
}

const NO_ONE = { name: null, role: null, isForAllEvents: false };

/** Null until the answer is here; without one, what every role may do. */
function useMe(): { name: string | null; role: Role | null; isForAllEvents: boolean } | null {
  const [me, setMe] = useState<ReturnType<typeof useMe>>(null);
  useEffect(() => {
    const stop = new AbortController();
    call(organizations, {}, { signal: stop.signal }).then(
      (reply) => setMe(reply.organizations.find(({ isThis }) => isThis) ?? NO_ONE),
      () => stop.signal.aborted || setMe(NO_ONE),
    );
    return () => stop.abort();
  }, []);
  return me;
}

export { TopBar as Component };
