import { useState } from 'react';
import { resendVerification } from '#contract/app/accounts.ts';
import type { OnboardingStep } from '#domain/accounts/onboarding.ts';
import { onboardingIncomplete } from '#messages/accounts.ts';
import { linkNotSent } from '#messages/pages.ts';
import { call, messageFrom } from '#web/api.ts';
import { openPayoutSetup } from '#web/profile/payouts/payout-account.ts';
import type { Profile } from '#web/profile/use-profile.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Icon } from '#web/ui/icons/Icon.tsx';
import text from '#web/ui/styles/text.module.css';
import styles from './OnboardingChecklist.module.css';

type Step = OnboardingStep | 'first-event';

const steps: { id: Step; title: string; why: string; action: string }[] = [
  {
    id: 'verify-email',
    title: 'Verify email',
    why: 'Click the link in your inbox so we can reach you about sales and payouts. 1 min',
    action: 'Send the link again',
  },
  {
    id: 'account-information',
    title: 'Your details',
    why: "Tell us who's selling. Buyers see your name and bio. 3 min",
    action: 'Add your details',
  },
  {
    id: 'connect-payouts',
    title: 'Connect payouts',
    why: 'Connect Stripe so we can pay you. 5 min',
    action: 'Connect with Stripe',
  },
  {
    id: 'first-event',
    title: 'First event',
    why: 'Put it on sale and share the link. 5 min',
    action: 'Add your first event',
  },
];

interface OnboardingChecklistProps {
  organizer: Profile;
  onUpdateDetails: () => void;
  onCreateEvent: () => void;
}

/** Steps to the first event; disappears once all four are done. */
export function OnboardingChecklist({ organizer, onUpdateDetails, onCreateEvent }: OnboardingChecklistProps) {
  const [isBusy, setIsBusy] = useState(false);
  const isOpen = (step: Step) =>
    step === 'first-event' ? organizer.events.length === 0 : organizer.openSteps.includes(step);
  const open = steps.filter((step) => isOpen(step.id));
  const next = open[0];
  if (!next) return null;

  const actions: Record<Step, () => void | Promise<void>> = {
    'verify-email': sendLinkAgain,
    'account-information': onUpdateDetails,
    'connect-payouts': openPayoutSetup,
    'first-event': onCreateEvent,
  };
  async function act(step: Step) {
    setIsBusy(true);
    await actions[step]();
    setIsBusy(false);
  }

  return (
    <section className={styles.card} aria-labelledby="onboarding-title">
      <header className={styles.head}>
        <h2 id="onboarding-title">Get ready to sell</h2>
        <p>
          {steps.length - open.length} of {steps.length} done
        </p>
      </header>
      {!organizer.organizationName && <p className={styles.lead}>{onboardingIncomplete}</p>}
      <ol className={styles.steps}>
        {steps.map((step) => (
          <li key={step.id} className={isOpen(step.id) ? undefined : styles.done}>
            <span className={styles.mark}>{!isOpen(step.id) && <Icon name="check" />}</span>
            <div>
              <h3>
                {step.title} {!isOpen(step.id) && <span className={text.srOnly}>(done)</span>}
              </h3>
              <p>{step.why}</p>
            </div>
            {isOpen(step.id) && !(step.id !== 'verify-email' && isOpen('verify-email')) && (
              <Button
                kind={step === next ? 'primary' : 'ghost'}
                busy={isBusy && step === next}
                onClick={() => act(step.id)}
              >
                {step.action}
              </Button>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

async function sendLinkAgain() {
  try {
    toast.success((await call(resendVerification, {})).msg);
  } catch (error) {
    toast.error(messageFrom(error, linkNotSent));
  }
}
