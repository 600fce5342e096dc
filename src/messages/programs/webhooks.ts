/** Webhooks of organizers. */
import type { WebhookDelivery, WebhookEndpoint } from '#contract/app/programs/webhooks.ts';
import { DELIVERY_DAYS, type DeliveredType, ROTATION_HOURS } from '#domain/accounts/webhooks.ts';
import { plural } from '../format.ts';

export const webhookDone = {
  edited: 'The webhook is saved.',
  ended: 'The webhook has ended.',
  tested: 'A test is on its way.',
  sentAgain: 'It is on its way again.',
};

export const typeNames: Record<DeliveredType, string> = {
  'order.paid': 'An order is paid',
  'order.unfulfillable': 'An order is paid that gets no tickets',
  'refund.sent': 'A refund is sent',
  'ticket.checked_in': 'A ticket is checked in',
  'ticket.check_in_undone': 'A check-in is undone',
  'ticket.transferred': 'A ticket has a new holder',
  'event.published': 'An event is published',
  'event.updated': "An event's page changes",
  'event.cancelled': 'An event is cancelled',
  'payout.paid': 'A payout is sent',
  'webhook.test': 'Test',
};

const problems: Record<NonNullable<WebhookDelivery['problem']>, string> = {
  refused: "The address isn't on the internet",
  unreachable: 'No connection',
  silent: 'No answer in 5 seconds',
};

/** What an attempt led to: the status of its answer, or why there is none. */
export function answerOf({ answerStatus, problem }: Pick<WebhookDelivery, 'answerStatus' | 'problem'>): string | null {
  return problem ? problems[problem] : (answerStatus?.toString() ?? null);
}

export const webhooksPage = {
  webhooks: 'Webhooks',
  lead: 'We call your own programs when something happens.',
  caption: 'Webhooks of the organization',
  notLoaded: "We couldn't load your webhooks.",
  failed: "That didn't work. Please try again.",
  none: 'You have no webhooks. Add one to tell your newsletter, chat or bookkeeping about each sale.',
  create: 'New webhook',
  createTitle: 'Add a webhook',
  url: 'Address',
  urlHint: 'https, on port 443 or 8443. It is called with POST.',
  types: 'We call it when',
  events: 'Events',
  allEvents: 'All events',
  chooseEvents: 'Choose at least one event.',
  send: 'Add the webhook',
  cancel: 'Cancel',
  madeTitle: 'Your new webhook',
  rotatedTitle: 'The new secret',
  secret: "Copy the secret now: your program verifies with it that a call is ours. You won't see it again.",
  rotated: `Copy it now. You won't see it again. The old one keeps signing for ${ROTATION_HOURS} hours.`,
  copy: 'Copy the secret',
  done: 'Done',
  sends: 'Sends',
  someTypes: (types: number) => plural(types, { one: '1 kind of event', other: '# kinds of events' }),
  health: 'Health',
  state: { live: 'Working', failing: 'Failing', ended: 'Ended' } satisfies Record<WebhookEndpoint['state'], string>,
  ready: 'Ready',
  notYet: 'Nothing sent yet',
  lastDelivered: (when: string) => `Last delivered ${when}`,
  failingSince: (when: string) => `Since ${when}`,
  waiting: (deliveries: number) => plural(deliveries, { one: '1 waiting', other: '# waiting' }),
  endReason: {
    member: 'Ended by a member',
    gone: 'It answered 410 Gone',
    failing: 'It failed for five days',
  } satisfies Record<NonNullable<WebhookEndpoint['endReason']>, string>,
  actions: 'Open',
  log: 'Log',
  logLabel: (url: string) => `Log of ${url}`,
};

export const webhookLog = {
  title: 'Webhook',
  back: 'Back to the API',
  notLoaded: "We couldn't load the log.",
  heading: `The last ${DELIVERY_DAYS} days`,
  caption: 'Deliveries of this webhook',
  none: 'Nothing was sent yet. Send a test to see how a delivery looks.',
  test: 'Send test',
  edit: 'Edit',
  editTitle: 'Edit the webhook',
  save: 'Save',
  rotate: 'Rotate secret',
  rotateTitle: 'Rotate the secret?',
  rotateWhy: `A new secret signs from now on. The old one signs as well for ${ROTATION_HOURS} hours, so that you can change your program without a gap.`,
  end: 'End webhook',
  endTitle: 'End this webhook?',
  endWhy: "It receives nothing anymore, and what waits for it is not sent. You can't undo this.",
  keep: 'Keep it',
  what: 'What happened',
  when: 'When',
  state: {
    waiting: 'Waiting',
    delivered: 'Delivered',
    failed: 'Failed',
    dropped: 'Not sent',
  } satisfies Record<WebhookDelivery['state'], string>,
  result: 'Result',
  answer: 'Last answer',
  noAnswer: 'None yet',
  answeredIn: (answer: string, ms: number) => `${answer}, after ${ms} ms`,
  attempts: (attempts: number) => plural(attempts, { one: '1 attempt', other: '# attempts' }),
  nextAt: (when: string) => `next attempt ${when}`,
  actions: 'Repeat',
  sendAgain: 'Send again',
  sendAgainLabel: (what: string, when: string) => `Send again: ${what}, ${when}`,
  more: 'Show older ones',
};
