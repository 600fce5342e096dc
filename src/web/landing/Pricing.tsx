import { Link } from 'react-router';
import type { Offer, Plan } from '#contract/app/plans.ts';
import {
  otherPlanMessage,
  planIncludes,
  planPrice,
  ticketFeesMessage,
  ticketFeesNotIncluded,
} from '#messages/offer.ts';
import { ButtonLink } from '#web/ui/button/Button.tsx';
import { Chip } from '#web/ui/data/Chip.tsx';
import { Icon } from '#web/ui/icons/Icon.tsx';

import { FeeCalculator } from './FeeCalculator.tsx';
import styles from './Pricing.module.css';

const comingSoon = [
  { name: 'Pro', text: 'For organizers with more than a few nights on sale at once.' },
  { name: 'Enterprise', text: 'For venues with a team and a full calendar.' },
];

export function Pricing({ offer: { standard, others } }: { offer: Offer }) {
  const announced = comingSoon.filter(({ name }) => others.every((plan) => plan.name !== name));
  return (
    <section id="pricing" className={styles.pricing} aria-labelledby="pricing-title">
      <h2 id="pricing-title">Pricing</h2>
      <div className={styles.cards}>
        {[standard, ...others].map((plan) => (
          <PlanCard key={plan.name} plan={plan} />
        ))}
        {announced.map(({ name, text }) => (
          <div key={name} className={styles.comingSoon}>
            <h3>{name}</h3>
            <Chip>Coming soon</Chip>
            <p>{text}</p>
          </div>
        ))}
      </div>
      <FeeCalculator plans={[standard, ...others]} />
      {others.map((plan) => (
        <p key={plan.name} className={styles.fees}>
          {otherPlanMessage(plan)}
        </p>
      ))}
      <p className={styles.fees}>
        {ticketFeesMessage(standard)} Nothing up front. Fees come out of your payout.{' '}
        <Link to="/FAQ">Read the FAQ</Link>
      </p>
    </section>
  );
}

function PlanCard({ plan }: { plan: Plan }) {
  return (
    <div className={styles.standardShadow}>
      <div className={styles.standard}>
        <div className={styles.offer}>
          <h3>{plan.name}</h3>
          <p className={styles.price}>
            <strong>{planPrice(plan.terms.processingCents)}</strong> per event
          </p>
          <p className={styles.note}>{ticketFeesNotIncluded}</p>
        </div>
        <div className={styles.contents}>
          <ul className={styles.list}>
            {planIncludes(plan).map((item) => (
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
  );
}
