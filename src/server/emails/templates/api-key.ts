import { button, type EmailContent, paragraph, smallPrint } from './layout.ts';

export function apiKeyCreatedEmail({ url }: { url: string }): EmailContent {
  return {
    subject: 'A new API key for your Handstamp organization',
    preview: 'A program can now act for your organization.',
    head: { title: 'A new API key' },
    blocks: [
      paragraph('Someone on your team made an API key. The program that has it can do what the key allows.'),
      button('See your keys', url),
      smallPrint("You don't know what it is for? Revoke it there: it stops working at once."),
    ],
  };
}
