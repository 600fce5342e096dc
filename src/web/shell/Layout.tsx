import { Suspense, useEffect, useRef } from 'react';
import { Link, Outlet, useLocation } from 'react-router';
import { ButtonLink } from '#web/ui/button/Button.tsx';
import { Logo } from '#web/ui/icons/Logo.tsx';
import { usePart } from './bar/use-part.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { Footer } from './Footer.tsx';
import { focusHeading } from './focus-heading.ts';
import styles from './Layout.module.css';
import { useIsLoading } from './lazy-screen.tsx';
import { isOrganizersScreen } from './organizers-screen.ts';
import { Ready } from './Ready.tsx';
import { SideNav } from './SideNav.tsx';
import { isAdmin, isSignedIn } from './session-token.ts';
import { Toasts } from './Toasts.tsx';
import { useScrollMemory } from './use-scroll-memory.ts';

/** The frame around every screen. */
export function Layout() {
  const { pathname } = useLocation();
  const isLanding = pathname === '/';
  useHeadingFocus(pathname);
  useScrollMemory();
  const isOrganizers = isOrganizersScreen(pathname) && isSignedIn(new Date());
  const Bar = usePart(isOrganizers, 'bar');
  const Viewing = usePart(isOrganizers && isAdmin(), 'viewing');

  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      <LoadingBar />
      <header className={styles.header}>
        <Logo linked={!isLanding} />
        {Bar && <Bar />}
        <div className={styles.actions}>
          {isLanding && <LandingLinks />}
          <SideNav />
        </div>
      </header>
      <main id="main" className={styles.main} tabIndex={-1}>
        {/* A broken screen keeps the navigation usable. */}
        <Suspense>
          {/* With the screen, which decides by the same cookie what to show: a denied call removes it. */}
          {Viewing && <Viewing />}
          <ErrorBoundary key={pathname}>
            <Outlet />
          </ErrorBoundary>
          <Ready />
        </Suspense>
      </main>
      <Footer />
      <Toasts />
    </div>
  );
}

function LandingLinks() {
  return (
    <nav className={styles.quick} aria-label="Quick links">
      <Link to="/FAQ">FAQ</Link>
      <Link to="/login">Log in</Link>
      <ButtonLink to="/Register">Get started</ButtonLink>
    </nav>
  );
}

/** A screen's code can be slow to load. */
function LoadingBar() {
  return useIsLoading() ? <div className={styles.loading} aria-hidden="true" /> : null;
}

/** Moves the focus to the new page's heading, except on the first page. */
function useHeadingFocus(pathname: string): void {
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    return focusHeading();
  }, [pathname]);
}
