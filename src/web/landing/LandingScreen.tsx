import { offerTexts, planPrice, ticketFeesNotIncluded } from '#messages/offer.ts';
import { seeLiveEvent } from '#messages/sales/landing.ts';
import { ButtonLink } from '#web/ui/button/Button.tsx';
import { NotLoaded } from '#web/ui/feedback/NotLoaded.tsx';
import { usePageTitle } from '#web/ui/page/page-title.ts';
import { useOffer } from '#web/use-offer.ts';
import { Blurbs } from './Blurbs.tsx';
import { HeroTickets } from './HeroTickets.tsx';
import styles from './LandingScreen.module.css';
import { Pricing } from './Pricing.tsx';
import { Tour } from './Tour.tsx';

export function LandingScreen() {
  usePageTitle('Handstamp');
  const { offer, isFailed, reload } = useOffer();
  return (
    <>
      <section className={styles.hero}>
        <div className={styles.text}>
          <h1 className={styles.title} tabIndex={-1}>
            Sell it. <br />
            Scan it. <br />
            Get paid.
          </h1>
          <p className={styles.lead}>
            Tickets for people who run the night themselves. One page to sell, one phone at the door, money out the next
            day.
          </p>
          <div className={styles.actions}>
            <ButtonLink to="/Register" kind="gold" size="lg">
              Get started
            </ButtonLink>
            {offer?.demoEventId && (
              <ButtonLink to={`/payment/${offer.demoEventId}`} kind="ghost" size="lg">
                {seeLiveEvent}
              </ButtonLink>
            )}
            <ButtonLink href="#pricing" kind="ghost" size="lg">
              See pricing
            </ButtonLink>
          </div>
          {offer && (
            <p className={styles.small}>
              {planPrice(offer.standard.terms.processingCents)} per event. {ticketFeesNotIncluded} No card to sign up.
            </p>
          )}
        </div>
        <HeroTickets />
      </section>
      <Blurbs />
      <Tour />
      {offer && <Pricing offer={offer} />}
      {isFailed && <NotLoaded msg={offerTexts.notLoaded} onRetry={reload} />}
    </>
  );
}

export { LandingScreen as Component };
