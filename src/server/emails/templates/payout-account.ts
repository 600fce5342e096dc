import type { AccountChange } from '#domain/accounts/payout-account.ts';
import { accountChangeEmails } from '#messages/operations/payout-account.ts';
import { emailLinks } from '#messages/records/workspace.ts';
import { button, type EmailContent, paragraph } from './layout.ts';

export function payoutAccountEmail({ change, url }: { change: AccountChange; url: string }): EmailContent {
  const { subject, what, next } = accountChangeEmails[change];
  return {
    subject,
    preview: what,
    head: { title: subject },
    blocks: [paragraph(what), paragraph(next), button(emailLinks.home, url)],
  };
}
