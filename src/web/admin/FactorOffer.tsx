import { useEffect, useState } from 'react';
import { factors } from '#contract/app/factors.ts';
import { factorOffer as text } from '#messages/accounts/factors.ts';
import { call } from '#web/api.ts';
import { ButtonLink } from '#web/ui/button/Button.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';

/** Until the operator has a second factor. With a live Stripe key, the server shows nothing else before. */
export function FactorOffer() {
  const [hasNone, setHasNone] = useState(false);
  useEffect(() => {
    // Without an answer there is nothing to offer.
    call(factors, {}).then(
      (own) => setHasNone(own.factors.length === 0),
      () => {},
    );
  }, []);
  if (!hasNone) return null;
  return (
    <Banner
      kind="warning"
      title={text.title}
      action={<ButtonLink to="/organization/security">{text.setUp}</ButtonLink>}
    >
      {text.why}
    </Banner>
  );
}
