import { Link } from 'react-router';
import { standardIncludes, standardPrice, ticketFeesMessage, ticketFeesNotIncluded } from '#messages/offer.ts';
import { ButtonLink } from '#web/ui/button/Button.tsx';
import { Chip } from '#web/ui/data/Chip.tsx';
import { Icon } from '#web/ui/icons/Icon.tsx';

import { FeeCalculator } from './FeeCalculator.tsx';
import styles from './Pricing.module.css';

const comingSoon = [
  { name: 'Pro', text: 'For organizers with more than a few nights on sale at once.' },
  { name: 'Enterprise', text: 'For venues with a team and a full calendar.' },
];

export function Pricing() {
  return (
    <section id="pricing" className={styles.pricing} aria-labelledby="pricing-title">
      <h2 id="pricing-title">Pricing</h2>
      <div className={styles.cards}>
        <div className={styles.standardShadow}>
          <div className={styles.standard}>
            <div className={styles.offer}>
              <h3>Standard</h3>
              <p className={styles.price}>
                <strong>{standardPrice}</strong> per event
              </p>
              <p className={styles.note}>{ticketFeesNotIncluded}</p>
            </div>
            <div className={styles.contents}>
              <ul className={styles.list}>
                {standardIncludes.map((item) => (
                  <li key={item}>
                    <Icon name="check" />
                    {item}
                  </li>
                ))}
              </ul>
              <ButtonLink to="/Register">Get started</ButtonLink>
            </div>
          </div>
        </div>
        {comingSoon.map(({ name, text }) => (
          <div key={name} className={styles.comingSoon}>
            <h3>{name}</h3>
            <Chip>Coming soon</Chip>
            <p>{text}</p>
          </div>
        ))}
      </div>
      <FeeCalculator />
      <p className={styles.fees}>
        {ticketFeesMessage} Nothing up front. Fees come out of your payout. <Link to="/FAQ">Read the FAQ</Link>
      </p>
    </section>
  );
}
