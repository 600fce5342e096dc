import { LRUCache } from 'lru-cache';
import * as z from 'zod/mini';
import { accountChanges } from '#domain/accounts/payout-account.ts';
import { directionsTo, streetAddress } from '#messages/format.ts';
import { isEmailVerified } from '#server/accounts/verify-email.ts';
import { checkInToken } from '#server/checkin/early/check-in-link.ts';
import { workspaceUrl } from '#server/events/event-url.ts';
import { readCover } from '#server/events/photos/read-photo.ts';
import { freeOrderLink, reservedUntil } from '#server/orders/checkout-page/checkout-page.ts';
import { findReceiptLines, taxOfOrder } from '#server/orders/core/orders.sql.ts';
import { earlierOrderUrl } from '#server/orders/free-orders/complete-free-order.ts';
import { contactUrl, orderUrl, ticketUrl } from '#server/orders/order-link.ts';
import { storedRefundToken } from '#server/payments/refunds/refund-token.ts';
import type { Deps } from '#server/platform/deps.ts';
import { emailedCode } from '#server/platform/outbox/emailed-code.ts';
import { linkToken } from '#server/platform/outbox/link-token.ts';
import { markEmailSent, unsentEmail } from '#server/platform/outbox/outbox.sql.ts';
import type { EmailKind } from '#server/platform/outbox/queue-email.ts';
import { accountRenderers } from './account-emails.ts';
import { renderBrakeEmail } from './brake-email.ts';
import { comingLinksOf } from './find-tickets.ts';
import {
  changeOfEvent,
  draftForEmail,
  type EventForEmail,
  earlyCheckInForEmail,
  eventForEmail,
  freeOrderForEmail,
  orderToLink,
  titleOfEvent,
  usableTickets,
} from './outbox.sql.ts';
import {
  cancelledForEmail,
  disputeForEmail,
  evidenceDueForEmail,
  payoutForEmail,
  refundForEmail,
  ticketsOfAction,
  ticketsToLink,
  unfulfillableForEmail,
} from './payment-emails.sql.ts';
import { eventParams, firstOf, type QueuedEmail, type Render, type RenderDeps } from './queued-email.ts';
import { alertEmail } from './templates/alert.ts';
import { contactCopyEmail, contactEmail } from './templates/contact.ts';
import { type DisputeForEmail, disputeEndedEmail, disputeOpenedEmail, evidenceDueEmail } from './templates/dispute.ts';
import { draftDeletionEmail } from './templates/draft.ts';
import { type CheckInForEmail, checkInDecidedEmail, earlyCheckInEmail } from './templates/early-check-in.ts';
import { eventCancelledEmail, eventChangedEmail } from './templates/event.ts';
import { freeOrderCodeEmail, freeOrderLimitEmail } from './templates/free-order.ts';
import { COVER_SIZE, type EmailContent, type EmailLayout, renderLayout } from './templates/layout.ts';
import { refundedByOrganizerEmail } from './templates/member-refund.ts';
import { myTicketsEmail } from './templates/my-tickets.ts';
import { orderUnfulfillableEmail } from './templates/order-unfulfillable.ts';
import { payoutAccountEmail } from './templates/payout-account.ts';
import { payoutSentEmail } from './templates/payout-sent.ts';
import type { RefundForEmail } from './templates/refund.ts';
import {
  compWithdrawnEmail,
  refundAcceptedEmail,
  refundFailedEmail,
  refundRefusedEmail,
  refundRequestedEmail,
} from './templates/refund.ts';
import { calendarFile, type Receipt, ticketsEmail } from './templates/tickets.ts';
import { renderHolderRefund, renderTransferEmail } from './transfer-emails.ts';

/** Sends a queued email unless it was sent before. Throws if the mail server fails, so that the job is retried. */
export async function sendEmail(
  deps: RenderDeps & Pick<Deps, 'mailer'>,
  { emailId }: { emailId: string },
): Promise<void> {
  const queued = await unsentEmail(deps.db, emailId);
  if (!queued) return;

  // The recipient's data may have been erased since the email was queued.
  const isWanted = !queued.isErased && (await isForOwner(deps, queued));
  const email = isWanted ? await renderEmail(deps, queued) : null;
  // A crash before the row is marked sends the email twice. The stable id lets mail servers drop the duplicate.
  const messageId = `${queued.id}@${new URL(deps.publicUrl).hostname}`;
  if (email) await deps.mailer.send({ messageId, to: queued.toAddress, ...email });
  await markEmailSent(deps.db, queued.id);
}

/** Their event goes into the recipient's calendar, is moved there, or is marked as cancelled. */
const WITH_CALENDAR: ReadonlySet<EmailKind> = new Set(['tickets', 'ticket', 'event-changed', 'event-cancelled']);

/** To buyers, from the seller. Emails that a stranger can cause come from us. */
const FROM_SELLER: ReadonlySet<EmailKind> = new Set([
  ...WITH_CALENDAR,
  'order-unfulfillable',
  'refund-requested',
  'refund-accepted',
  'refund-refused',
  'refund-failed',
  'comp-withdrawn',
  'refunded-by-organizer',
  'early-check-in',
  'early-check-in-decided',
  'ticket-transferred',
  'holder-refund-requested',
  'holder-refunded',
  'holder-ticket-restored',
]);

/** Renders a queued email; `null` if there is nothing to send. */
export async function renderEmail(deps: RenderDeps, row: QueuedEmail): Promise<EmailLayout | null> {
  if (!isEmailKind(row.kind)) throw new Error(`no template for email of kind "${row.kind}"`);
  const content = await renderers[row.kind](deps, row);
  if (!content) return null;
  const event = FROM_SELLER.has(row.kind)
    ? await eventForEmail(deps.db, eventParams.parse(row.params).eventId)
    : undefined;
  if (!event) return renderLayout(content);
  const email = renderLayout(content, {
    organizationName: event.organizationName,
    contactUrl: contactUrl(
      deps,
      (row.kind === 'tickets' && (await orderToLink(deps.db, event.id, row.subjectId))) || event.id,
    ),
    // A photo that can't be read must not keep tickets from being sent.
    cover: await coverOf(deps, event).catch(() => null),
  });
  if (!WITH_CALENDAR.has(row.kind)) return email;
  const file = calendarFile(event, { publicUrl: deps.publicUrl, now: deps.clock.now() });
  return { ...email, attachments: [...email.attachments, file] };
}

const covers = new LRUCache<string, Promise<Buffer>>({ max: 100 });

/** Rendered once for all buyers of an event. */
function coverOf(deps: Pick<Deps, 'db' | 'photos' | 'publicUrl'>, { id, coverKey }: EventForEmail): Promise<Buffer> {
  const key = `${id} ${coverKey}`;
  const known = covers.get(key);
  if (known) return known;
  const cover = readCover(deps, id, { ...COVER_SIZE, format: 'jpeg' });
  // A failure is not cached.
  cover.catch(() => covers.delete(key));
  covers.set(key, cover);
  return cover;
}

/** Links with which people prove that an address is theirs. */
const PROOFS = ['verify-email', 'reset-password', 'confirm-new-email', 'login-code'];

/** Until an account's address is verified, it may be a stranger's: it gets no news of the account. */
async function isForOwner({ db }: Pick<Deps, 'db'>, { kind, accountId }: { kind: string; accountId: string | null }) {
  return accountId === null || PROOFS.includes(kind) || isEmailVerified(db, accountId);
}

type FoundFreeOrder = NonNullable<Awaited<ReturnType<typeof freeOrderForEmail>>>;

const alertParams = z.object({ counts: z.record(z.string(), z.number()) });
const accountChangeParams = z.object({ change: z.enum(accountChanges) });
const changeParams = z.object({ eventId: z.string(), changeId: z.string() });
const unfulfillableParams = z.object({
  eventId: z.string(),
  reason: z.enum(['sold-out', 'event-cancelled', 'event-ended', 'payment-differs', 'order-lost']),
});
const draftParams = z.object({ eventId: z.string(), deletedAt: z.string() });
const contactCopyParams = z.object({ eventId: z.string(), message: z.string() });
const contactParams = z.extend(contactCopyParams, {
  from: z.string(),
  buyerName: z.nullable(z.string()),
  isBuyer: z.boolean(),
});
const cancelledParams = z.object({ eventId: z.string(), buyerEmail: z.string() });

/** Emails render from the current data, not from the data at queueing time; `null` skips an email that is obsolete. */
const renderers: Record<EmailKind, Render> = {
  ...accountRenderers,

  async 'event-changed'(deps, { params, toAddress }) {
    const { eventId, changeId } = changeParams.parse(params);
    const change = await changeOfEvent(deps.db, eventId, changeId);
    if (!change || change.now.cancelledAt) return null;
    const tickets = await ticketsToLink(deps.db, eventId, toAddress);
    const urls = new Set(
      tickets.map((ticket) =>
        ticket.wasReceived ? ticketUrl(deps, { ...ticket, eventId }) : orderUrl(deps, { ...ticket, eventId }),
      ),
    );
    const isPayer = tickets.some(({ isHeld, refundableCents }) => !isHeld && refundableCents > 0);
    return eventChangedEmail({
      title: change.now.title,
      ...change,
      pages: [...urls],
      findTicketsUrl: `${deps.publicUrl}/find-tickets`,
      isPayer,
    });
  },

  async tickets(deps, { subjectId, params, toAddress }) {
    const { eventId } = eventParams.parse(params);
    const order = { eventId, orderId: subjectId };
    const tickets = await usableTickets(deps.db, eventId, { orderId: subjectId, toAddress });
    const receipt = { lines: await findReceiptLines(deps.db, order), tax: await taxOfOrder(deps.db, order) };
    return emailOfTickets(deps, eventId, { tickets, receipt });
  },

  async 'free-order-code'(deps, { subjectId }) {
    const order = await freeOrderForEmail(deps.db, subjectId);
    if (!order) return null;
    const url = `${freeOrderLink(deps, order)}?token=${linkToken(deps.appSecret, subjectId)}`;
    return freeOrderCodeEmail(shownOrder(order), { code: emailedCode(deps.appSecret, subjectId), url });
  },

  async 'free-order-limit'(deps, { subjectId }) {
    const order = await freeOrderForEmail(deps.db, subjectId);
    const url = order && (await earlierOrderUrl(deps, order));
    return order && url ? freeOrderLimitEmail(shownOrder(order), { url }) : null;
  },

  async 'my-tickets'(deps, { toAddress }) {
    return myTicketsEmail(await comingLinksOf(deps, toAddress));
  },

  async 'order-unfulfillable'({ db }, { subjectId, params }) {
    const { eventId, reason } = unfulfillableParams.parse(params);
    const order = await unfulfillableForEmail(db, eventId, subjectId);
    return order ? orderUnfulfillableEmail({ ...order, reason }) : null;
  },

  async ticket(deps, { subjectId, params, toAddress }) {
    const { eventId } = eventParams.parse(params);
    return emailOfTickets(deps, eventId, {
      tickets: await usableTickets(deps.db, eventId, { ticketId: subjectId, toAddress }),
      receipt: null,
    });
  },

  'ticket-transferred-to-you': renderTransferEmail,
  'ticket-transferred': renderTransferEmail,
  'email-corrected': renderTransferEmail,
  'holder-refund-requested': renderHolderRefund,
  'holder-refunded': renderHolderRefund,
  'holder-ticket-restored': renderHolderRefund,

  'refund-requested': (deps, row) => refundEmail(deps, row, refundRequestedEmail),
  'refund-accepted': (deps, row) => refundEmail(deps, row, refundAcceptedEmail),
  'refund-refused': (deps, row) => refundEmail(deps, row, refundRefusedEmail),
  'refund-failed': (deps, row) => refundEmail(deps, row, refundFailedEmail),
  async 'refunded-by-organizer'({ db }, { subjectId, params }) {
    const tickets = await ticketsOfAction(db, eventParams.parse(params).eventId, subjectId);
    const [first] = tickets;
    return first ? refundedByOrganizerEmail({ ...first, tickets }) : null;
  },
  'comp-withdrawn': (deps, row) => refundEmail(deps, row, compWithdrawnEmail),

  'early-check-in': (deps, row) => checkInEmail(deps, row, earlyCheckInEmail),
  'early-check-in-decided': (deps, row) => checkInEmail(deps, row, checkInDecidedEmail),

  async 'event-cancelled'({ db }, { params }) {
    const { eventId, buyerEmail } = cancelledParams.parse(params);
    const cancelled = await cancelledForEmail(db, eventId, buyerEmail);
    return cancelled ? eventCancelledEmail(cancelled) : null;
  },

  async 'payout-sent'(deps, { subjectId, params }) {
    const { eventId } = eventParams.parse(params);
    const payout = await payoutForEmail(deps.db, eventId, firstOf(subjectId));
    return payout ? payoutSentEmail({ ...payout, url: workspaceUrl(deps, eventId, 'money') }) : null;
  },

  async contact({ db }, { params }) {
    const { eventId, ...message } = contactParams.parse(params);
    return contactEmail({ ...message, title: await titleOfEvent(db, eventId) });
  },

  async 'contact-copy'({ db }, { params }) {
    const { eventId, message } = contactCopyParams.parse(params);
    return contactCopyEmail({ message, title: await titleOfEvent(db, eventId) });
  },

  async 'draft-deletion-ahead'(deps, { params }) {
    const { eventId, deletedAt } = draftParams.parse(params);
    const draft = await draftForEmail(deps.db, eventId);
    return draft
      ? draftDeletionEmail({ ...draft, deletedAt: new Date(deletedAt), url: workspaceUrl(deps, eventId, 'page') })
      : null;
  },

  async alert({ publicUrl }, { params }) {
    return alertEmail({ ...alertParams.parse(params), url: `${publicUrl}/dashboard` });
  },

  'sales-stopped': renderBrakeEmail,
  suspended: renderBrakeEmail,
  'payout-on-hold': renderBrakeEmail,
  resumed: renderBrakeEmail,

  async 'payout-account-restricted'({ publicUrl }, { params }) {
    return payoutAccountEmail({ ...accountChangeParams.parse(params), url: `${publicUrl}/profile` });
  },

  'dispute-opened': (deps, row) => disputeEmail(deps, row, disputeOpenedEmail),
  'dispute-ended': (deps, row) => disputeEmail(deps, row, disputeEndedEmail),

  async 'evidence-due'(deps, { subjectId, params }) {
    const { eventId } = eventParams.parse(params);
    const due = await evidenceDueForEmail(deps.db, eventId, firstOf(subjectId));
    return due ? evidenceDueEmail({ ...due, url: workspaceUrl(deps, eventId, 'money', 'disputes') }) : null;
  },
};

async function emailOfTickets(
  deps: RenderDeps,
  eventId: string,
  { tickets, receipt }: { tickets: Awaited<ReturnType<typeof usableTickets>>; receipt: Receipt | null },
): Promise<EmailContent | null> {
  const [ticket] = tickets;
  const event = ticket && (await eventForEmail(deps.db, eventId));
  if (!event) return null;
  const urls = {
    // The holder of a transferred ticket sees that one alone.
    order:
      ticket.transferredCount > 0 ? ticketUrl(deps, { ...ticket, eventId }) : orderUrl(deps, { ...ticket, eventId }),
    calendar: `${deps.publicUrl}/payment/${eventId}/event.ics`,
    directions: directionsTo(streetAddress(event)),
  };
  return ticketsEmail(event, tickets, { receipt, urls });
}

const shownOrder = ({ tickets, ...order }: FoundFreeOrder) => ({
  ...order,
  tickets: tickets ?? 0,
  reservedUntil: reservedUntil({ ...order, totalCents: 0 }),
});

async function refundEmail(
  { db, publicUrl, appSecret }: RenderDeps,
  { subjectId, params }: QueuedEmail,
  render: (refund: RefundForEmail) => EmailContent | null,
): Promise<EmailContent | null> {
  const { eventId } = eventParams.parse(params);
  const found = await refundForEmail(db, eventId, subjectId);
  if (!found) return null;
  const { linkHash, ...refund } = found;
  // Automatic refunds have no link, and a link derived from a secret that is gone no longer works.
  const token = linkHash && storedRefundToken(appSecret, subjectId, linkHash);
  return render({ ...refund, url: token === null ? null : `${publicUrl}/refund/${eventId}/${token}` });
}

async function checkInEmail(
  { db, publicUrl, appSecret }: RenderDeps,
  { subjectId, params }: QueuedEmail,
  render: (checkIn: CheckInForEmail) => EmailContent | null,
): Promise<EmailContent | null> {
  const { eventId } = eventParams.parse(params);
  const checkIn = await earlyCheckInForEmail(db, eventId, subjectId);
  if (!checkIn) return null;
  const token = checkInToken(appSecret, { eventId, checkInId: subjectId });
  return render({ ...checkIn, url: `${publicUrl}/checked-in/${eventId}/${token}` });
}

async function disputeEmail(
  deps: RenderDeps,
  { subjectId, params }: QueuedEmail,
  render: (dispute: DisputeForEmail) => EmailContent,
): Promise<EmailContent | null> {
  const { eventId } = eventParams.parse(params);
  const found = await disputeForEmail(deps.db, eventId, firstOf(subjectId));
  if (!found) return null;
  const { cancelledAt, excludedFrom, hasValidTickets, ...dispute } = found;
  const effect = { isCancelled: cancelledAt !== null, wasOnHold: excludedFrom !== null };
  const url = workspaceUrl(deps, eventId, 'money', 'disputes');
  return render({ ...dispute, ...effect, hasValidTickets: Boolean(hasValidTickets), url });
}

function isEmailKind(kind: string): kind is EmailKind {
  return Object.hasOwn(renderers, kind);
}
