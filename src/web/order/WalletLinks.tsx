import type { Confirmation, OrderDetails } from '#contract/app/checkout.ts';
import { nameOfTicket, orderPage as text } from '#messages/sales/order-page.ts';
import styles from './order.module.css';

interface WalletLinksProps {
  details: Pick<OrderDetails, 'token' | 'wallets'>;
  ticket: Confirmation['confirmationData'][number];
}

/** Plain links: a wallet opens what they answer. */
export function WalletLinks({ details: { token, wallets = [] }, ticket }: WalletLinksProps) {
  if (wallets.length === 0) return null;
  const { position } = ticket;
  const links = {
    apple: { label: text.appleWallet, href: `/api/public/ticket.pkpass?token=${token}&ticket=${position}` },
    google: { label: text.googleWallet, href: `/order/${token}/google-wallet/${position}` },
  };
  return (
    <p className={styles.wallets}>
      {wallets.map((wallet) => (
        <a key={wallet} href={links[wallet].href} aria-label={`${links[wallet].label}: ${nameOfTicket(ticket)}`}>
          {links[wallet].label}
        </a>
      ))}
    </p>
  );
}
