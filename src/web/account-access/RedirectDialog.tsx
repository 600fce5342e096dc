import { useEffect, useState } from 'react';
import { registered } from '#messages/accounts.ts';
import { ButtonLink } from '#web/ui/button/Button.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import styles from './account-access.module.css';

/** Long enough to read the success message. */
const REDIRECT_MS = 1500;
const OFFER_LINK_MS = 3000;

export function RedirectDialog({ to }: { to: string }) {
  const [isDelayed, setDelayed] = useState(false);
  useEffect(() => {
    const redirect = setTimeout(() => location.assign(to), REDIRECT_MS);
    const offer = setTimeout(() => setDelayed(true), OFFER_LINK_MS);
    return () => {
      clearTimeout(redirect);
      clearTimeout(offer);
    };
  }, [to]);

  return (
    <Dialog open title="Welcome aboard!" onClose={() => location.assign(to)}>
      <div className={styles.redirect}>
        <p role="status">{registered}</p>
        {isDelayed && <ButtonLink href={to}>Continue</ButtonLink>}
      </div>
    </Dialog>
  );
}
