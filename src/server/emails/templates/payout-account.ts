import type { AccountChange } from '#domain/accounts/payout-account.ts';
import { accountChangeEmails } from '#messages/operations/payout-account.ts';
import { button, type EmailLayout, paragraph, renderLayout } from './layout.ts';

export function payoutAccountEmail({ change, url }: { change: AccountChange; url: string }): EmailLayout {
  const { subject, what, next } = accountChangeEmails[change];
  return renderLayout({
    subject,
    preview: what,
    head: { title: subject },
    blocks: [paragraph(what), paragraph(next), button('Open your profile', url)],
  });
}
