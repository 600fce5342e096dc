import { button, type EmailContent, paragraph, smallPrint } from './layout.ts';

interface WebhookProps {
  url: string;
  /** Of the webhook's address. */
  host: string;
}

export function webhookCreatedEmail({ url, host }: WebhookProps): EmailContent {
  return {
    subject: 'A new webhook of your Handstamp organization',
    preview: 'A program elsewhere is now sent what happens.',
    head: { title: 'A new webhook' },
    blocks: [
      paragraph(`Someone on your team added a webhook. What happens with your events is now sent to ${host}.`),
      button('See the webhook', url),
      smallPrint("You don't know the address? End the webhook there: nothing more is sent."),
    ],
  };
}

export function webhookFailingEmail({ url, host }: WebhookProps): EmailContent {
  return {
    subject: 'A webhook of your Handstamp organization fails',
    preview: 'Your program has not taken a delivery for a day.',
    head: { title: 'A webhook fails' },
    blocks: [
      paragraph(`We have called your program at ${host} for a day without success.`),
      button('See what it answers', url),
      smallPrint('We keep trying. After five days of failures the webhook ends.'),
    ],
  };
}

export function webhookEndedEmail({ url, host }: WebhookProps): EmailContent {
  return {
    subject: 'A webhook of your Handstamp organization has ended',
    preview: 'Your program is no longer called.',
    head: { title: 'A webhook has ended' },
    blocks: [
      paragraph(`We no longer call your program at ${host}: it failed for five days, or answered that it is gone.`),
      button('See the log', url),
      smallPrint('Once your program works again, add a new webhook. It reads what it missed from the change feed.'),
    ],
  };
}
