import { type ReactNode, useEffect } from 'react';
import { useLocation } from 'react-router';
import { offerTexts } from '#messages/offer.ts';
import { termsTitle } from '#messages/pages.ts';
import { NotLoaded } from '#web/ui/feedback/NotLoaded.tsx';
import { Page } from '#web/ui/page/Page.tsx';
import { type OfferState, useOffer } from '#web/use-offer.ts';
import { Cookies } from './Cookies.tsx';
import styles from './LegalScreen.module.css';
import { Privacy } from './Privacy.tsx';
import { Terms } from './Terms.tsx';

const documents = [
  { id: 'terms', title: 'Terms of service', effective: '2/25/2024', Text: TermsOfPlans },
  { id: 'privacy', title: 'Privacy policy', effective: '2/25/2025', Text: Privacy },
  { id: 'cookies', title: 'Cookie policy', effective: '2/25/2025', Text: Cookies },
];

export function LegalScreen() {
  const state = useOffer();
  useHashScroll(state);
  return (
    <Page title={termsTitle} className={styles.page}>
      <nav className={styles.contents} aria-label="On this page">
        <ul>
          {documents.map(({ id, title }) => (
            <li key={id}>
              <a href={`#${id}`}>{title}</a>
            </li>
          ))}
        </ul>
      </nav>
      <div className={styles.documents}>
        {documents.map(({ id, title, effective, Text }) => (
          <Document key={id} id={id} title={title} effective={effective}>
            <Text {...state} />
          </Document>
        ))}
      </div>
    </Page>
  );
}

function TermsOfPlans({ offer, isFailed, reload }: OfferState) {
  if (offer) return <Terms offer={offer} />;
  return isFailed && <NotLoaded msg={offerTexts.notLoaded} onRetry={reload} />;
}

function Document({
  id,
  title,
  effective,
  children,
}: {
  id: string;
  title: string;
  effective: string;
  children: ReactNode;
}) {
  return (
    <article id={id} className={styles.document} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      <p className={styles.effective}>Effective {effective}</p>
      {children}
    </article>
  );
}

/** The browser looked for the anchor before this screen, and the plans in its terms, had loaded. */
function useHashScroll({ offer }: OfferState): void {
  const { hash } = useLocation();
  useEffect(() => {
    if (hash && offer) document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [hash, offer]);
}

export { LegalScreen as Component };
