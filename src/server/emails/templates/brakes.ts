import { type BrakeAction, brakeEmails } from '#messages/operations/brakes.ts';
import { button, type EmailContent, paragraph } from './layout.ts';

interface Braked {
  action: BrakeAction;
  /** The title of the event, or the name of the organization. */
  about: string;
  /** In the operator's words. */
  reason: string;
  link: { label: string; url: string };
}

export function brakeEmail({ action, about, reason, link }: Braked): EmailContent {
  const { subject, what, effect } = brakeEmails[action](about);
  return {
    subject,
    preview: what,
    head: { title: about },
    blocks: [paragraph(what), paragraph(`Why: ${reason}`), paragraph(effect), button(link.label, link.url)],
  };
}
