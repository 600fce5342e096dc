import { standardPrice, ticketFeesNotIncluded } from '#messages/offer.ts';
import { ButtonLink } from '#web/ui/button/Button.tsx';
import { usePageTitle } from '#web/ui/page/page-title.ts';
import { Blurbs } from './Blurbs.tsx';
import { HeroTickets } from './HeroTickets.tsx';
import styles from './LandingScreen.module.css';
import { Pricing } from './Pricing.tsx';

export function LandingScreen() {
  usePageTitle('Handstamp');
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
            <ButtonLink href="#pricing" kind="ghost" size="lg">
              See pricing
            </ButtonLink>
          </div>
          <p className={styles.small}>
            {standardPrice} per event. {ticketFeesNotIncluded} No card to sign up.
          </p>
        </div>
        <HeroTickets />
      </section>
      <Blurbs />
      <Pricing />
    </>
  );
}

export { LandingScreen as Component };
