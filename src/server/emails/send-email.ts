import * as z from 'zod/mini';
import { accountChanges } from '#domain/accounts/payout-account.ts';
import { roles } from '#domain/accounts/roles.ts';
import { isEmailVerified } from '#server/accounts/verify-email.ts';
import { checkInToken } from '#server/checkin/early/check-in-link.ts';
import { freeOrderLink, reservedUntil } from '#server/orders/checkout-page/checkout-page.ts';
import { earlierOrderUrl } from '#server/orders/free-orders/complete-free-order.ts';
import { orderUrl } from '#server/orders/order-link.ts';
import { storedRefundToken } from '#server/payments/refunds/refund-token.ts';
import type { Deps } from '#server/platform/deps.ts';
import { emailedCode } from '#server/platform/outbox/emailed-code.ts';
import { linkToken, storedLinkToken } from '#server/platform/outbox/link-token.ts';
import { markEmailSent, unsentEmail } from '#server/platform/outbox/outbox.sql.ts';
import type { EmailKind } from '#server/platform/outbox/queue-email.ts';
import { renderBrakeEmail } from './brake-email.ts';
import {
  calendarEntry,
  changeOfEvent,
  comingOrdersOf,
  earlyCheckInForEmail,
  eventAtDoor,
  freeOrderForEmail,
  invitationForEmail,
  organizationName,
  storedLinkHash,
  usableTickets,
} from './outbox.sql.ts';
import {
  cancelledForEmail,
  disputeForEmail,
  evidenceDueForEmail,
  payoutForEmail,
  refundForEmail,
  unfulfillableForEmail,
} from './payment-emails.sql.ts';
import {
  accountInfoChangedEmail,
  confirmNewEmailEmail,
  emailChangedEmail,
  factorChangedEmail,
  failedLoginsEmail,
  loginCodeEmail,
  newLoginEmail,
  passwordChangedEmail,
  recordsLinkEmail,
  recoveryCodeUsedEmail,
  resetPasswordEmail,
  verifyEmailEmail,
} from './templates/account.ts';
import { alertEmail } from './templates/alert.ts';
import { type DisputeForEmail, disputeEndedEmail, disputeOpenedEmail, evidenceDueEmail } from './templates/dispute.ts';
import { type CheckInForEmail, checkInDecidedEmail, earlyCheckInEmail } from './templates/early-check-in.ts';
import { eventCancelledEmail, eventChangedEmail } from './templates/event.ts';
import { freeOrderCodeEmail, freeOrderLimitEmail } from './templates/free-order.ts';
import type { EmailLayout } from './templates/layout.ts';
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
import {
  checkInHoursChangedEmail,
  invitationEmail,
  memberRemovedEmail,
  organizationDeletedEmail,
  roleChangedEmail,
} from './templates/team.ts';
import { calendarFile, ticketsEmail } from './templates/tickets.ts';
import { viewedBySupportEmail } from './templates/viewed-by-support.ts';

/** Sends a queued email unless it was sent before. Throws if the mail server fails, so that the job is retried. */
export async function sendEmail(
  deps: Pick<Deps, 'db' | 'mailer' | 'publicUrl' | 'appSecret' | 'clock'>,
  { emailId }: { emailId: string },
): Promise<void> {
  const queued = await unsentEmail(deps.db, emailId);
  if (!queued) return;

  // The recipient's data may have been erased since the email was queued.
  const isWanted = !queued.isErased && (await isForOwner(deps, queued));
  const rendered = isWanted ? await renderEmail(deps, queued) : null;
  const email = rendered && WITH_CALENDAR.has(queued.kind) ? await withCalendar(deps, rendered, queued) : rendered;
  // A crash before the row is marked sends the email twice. The stable id lets mail servers drop the duplicate.
  const messageId = `${queued.id}@${new URL(deps.publicUrl).hostname}`;
  if (email) await deps.mailer.send({ messageId, to: queued.toAddress, ...email });
  await markEmailSent(deps.db, queued.id);
}

/** Their event goes into the recipient's calendar, is moved there, or is marked as cancelled. */
const WITH_CALENDAR: ReadonlySet<string> = new Set(['tickets', 'ticket', 'event-changed', 'event-cancelled']);

async function withCalendar(
  deps: RenderDeps,
  email: EmailLayout,
  { params }: { params: unknown },
): Promise<EmailLayout> {
  const entry = await calendarEntry(deps.db, eventParams.parse(params).eventId);
  if (!entry) return email;
  const file = calendarFile(entry, { publicUrl: deps.publicUrl, now: deps.clock.now() });
  return { ...email, attachments: [...email.attachments, file] };
}

/** Links with which people prove that an address is theirs. */
const PROOFS = ['verify-email', 'reset-password', 'confirm-new-email', 'login-code'];

/** Until an account's address is verified, it may be a stranger's: it gets no news of the account. */
async function isForOwner({ db }: Pick<Deps, 'db'>, { kind, accountId }: { kind: string; accountId: string | null }) {
  return accountId === null || PROOFS.includes(kind) || isEmailVerified(db, accountId);
}

interface QueuedEmail {
  kind: string;
  subjectId: string;
  toAddress: string;
  params: unknown;
}

/** Renders a queued email; `null` if there is nothing to send. */
export async function renderEmail(deps: RenderDeps, row: QueuedEmail): Promise<EmailLayout | null> {
  if (!isEmailKind(row.kind)) throw new Error(`no template for email of kind "${row.kind}"`);
  return renderers[row.kind](deps, row);
}

type RenderDeps = Pick<Deps, 'db' | 'publicUrl' | 'appSecret' | 'clock'>;
type FoundFreeOrder = NonNullable<Awaited<ReturnType<typeof freeOrderForEmail>>>;
type Render = (deps: RenderDeps, row: QueuedEmail) => Promise<EmailLayout | null>;

const emailChangedParams = z.object({ newEmail: z.string() });
const alertParams = z.object({ counts: z.record(z.string(), z.number()) });
const accountChangeParams = z.object({ change: z.enum(accountChanges) });
const changeParams = z.object({ eventId: z.string(), changeId: z.string() });
const eventParams = z.object({ eventId: z.string() });
const unfulfillableParams = z.object({
  eventId: z.string(),
  reason: z.enum(['sold-out', 'event-cancelled', 'event-ended', 'payment-differs']),
});
const newLoginParams = z.object({ device: z.string() });
const recoveryCodeParams = z.object({ left: z.coerce.number() });
const membershipParams = z.object({ organizationId: z.string() });
const deletedParams = z.object({ organizationName: z.string() });
const roleParams = z.object({ organizationId: z.string(), role: z.enum(roles) });
const cancelledParams = z.object({ eventId: z.string(), buyerEmail: z.string() });

/** Emails render from the current data, not from the data at queueing time; `null` skips an email that is obsolete. */
const renderers: Record<EmailKind, Render> = {
  async 'verify-email'(deps, { subjectId }) {
    return verifyEmailEmail({ url: await pageUrl(deps, '/verify-email', subjectId) });
  },

  async 'reset-password'(deps, { subjectId }) {
    return resetPasswordEmail({ url: `${deps.publicUrl}/reset-password/${await tokenOf(deps, subjectId)}` });
  },

  async 'records-link'(deps, { subjectId }) {
    return recordsLinkEmail({ url: `${deps.publicUrl}/privacy/${await tokenOf(deps, subjectId)}` });
  },

  async 'password-changed'({ publicUrl }) {
    return passwordChangedEmail({ url: `${publicUrl}/forgot-password` });
  },

  async 'factor-changed'({ publicUrl }) {
    return factorChangedEmail({ url: `${publicUrl}/organization/security` });
  },

  async 'new-login'({ publicUrl }, { params }) {
    const { device } = newLoginParams.parse(params);
    return newLoginEmail({ url: `${publicUrl}/organization/security`, device });
  },

  async 'login-code'({ appSecret }, { subjectId }) {
    return loginCodeEmail({ code: emailedCode(appSecret, subjectId) });
  },

  async 'recovery-code-used'({ publicUrl }, { params }) {
    const { left } = recoveryCodeParams.parse(params);
    return recoveryCodeUsedEmail({ url: `${publicUrl}/organization/security`, left });
  },

  async invitation(deps, { subjectId }) {
    const found = await invitationForEmail(deps.db, subjectId);
    return found ? invitationEmail({ ...found, url: await pageUrl(deps, '/invitation', subjectId) }) : null;
  },

  async 'role-changed'({ db, publicUrl }, { params }) {
    const { organizationId, role } = roleParams.parse(params);
    return roleChangedEmail({
      role,
      organizationName: await organizationName(db, organizationId),
      url: `${publicUrl}/profile`,
    });
  },

  async 'member-removed'({ db }, { params }) {
    const { organizationId } = membershipParams.parse(params);
    return memberRemovedEmail({ organizationName: await organizationName(db, organizationId) });
  },

  async 'organization-deleted'(_deps, { params }) {
    return organizationDeletedEmail(deletedParams.parse(params));
  },

  async 'check-in-hours-changed'({ db, publicUrl }, { params }) {
    const { eventId } = eventParams.parse(params);
    const event = await eventAtDoor(db, eventId);
    const url = `${publicUrl}/scanner?event=${eventId}`;
    return event && !event.cancelledAt ? checkInHoursChangedEmail({ ...event, url }) : null;
  },

  async 'password-guessed'({ publicUrl }) {
    return failedLoginsEmail({ url: `${publicUrl}/forgot-password` });
  },

  async 'account-info-changed'({ publicUrl }) {
    return accountInfoChangedEmail({ url: `${publicUrl}/forgot-password` });
  },

  async 'confirm-new-email'(deps, { subjectId }) {
    return confirmNewEmailEmail({ url: await pageUrl(deps, '/confirm-email-change', subjectId) });
  },

  async 'email-change-alert'(deps, { subjectId, params }) {
    const { newEmail } = emailChangedParams.parse(params);
    return emailChangedEmail({ url: await pageUrl(deps, '/undo-email-change', subjectId), newEmail });
  },

  async 'event-changed'({ db, publicUrl }, { params }) {
    const { eventId, changeId } = changeParams.parse(params);
    const change = await changeOfEvent(db, eventId, changeId);
    if (!change || change.now.cancelledAt) return null;
    const eventUrl = `${publicUrl}/payment/${eventId}`;
    const refundUrl = `${publicUrl}/refund/${eventId}`;
    return eventChangedEmail({ title: change.now.title, ...change, eventUrl, refundUrl });
  },

  async tickets(deps, { subjectId, params }) {
    const { eventId } = eventParams.parse(params);
    const url = orderUrl(deps, { eventId, orderId: subjectId });
    return ticketsEmail(await usableTickets(deps.db, eventId, { orderId: subjectId }), url);
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
    const orders = await comingOrdersOf(deps.db, toAddress);
    return myTicketsEmail(
      orders.map((order) => ({ ...order, tickets: Number(order.tickets), url: orderUrl(deps, order) })),
    );
  },

  async 'order-unfulfillable'({ db }, { subjectId, params }) {
    const { eventId, reason } = unfulfillableParams.parse(params);
    const order = await unfulfillableForEmail(db, eventId, subjectId);
    return order ? orderUnfulfillableEmail({ ...order, reason }) : null;
  },

  async ticket(deps, { subjectId, params }) {
    const { eventId } = eventParams.parse(params);
    const tickets = await usableTickets(deps.db, eventId, { ticketId: subjectId });
    const [ticket] = tickets;
    return ticket ? ticketsEmail(tickets, orderUrl(deps, { eventId, orderId: ticket.orderId })) : null;
  },

  'refund-requested': (deps, row) => refundEmail(deps, row, refundRequestedEmail),
  'refund-accepted': (deps, row) => refundEmail(deps, row, refundAcceptedEmail),
  'refund-refused': (deps, row) => refundEmail(deps, row, refundRefusedEmail),
  'refund-failed': (deps, row) => refundEmail(deps, row, refundFailedEmail),
  'comp-withdrawn': (deps, row) => refundEmail(deps, row, compWithdrawnEmail),

  'early-check-in': (deps, row) => checkInEmail(deps, row, earlyCheckInEmail),
  'early-check-in-decided': (deps, row) => checkInEmail(deps, row, checkInDecidedEmail),

  async 'event-cancelled'({ db }, { params }) {
    const { eventId, buyerEmail } = cancelledParams.parse(params);
    const cancelled = await cancelledForEmail(db, eventId, buyerEmail);
    return cancelled ? eventCancelledEmail(cancelled) : null;
  },

  async 'payout-sent'({ db, publicUrl }, { subjectId, params }) {
    const { eventId } = eventParams.parse(params);
    const payout = await payoutForEmail(db, eventId, firstOf(subjectId));
    return payout ? payoutSentEmail({ ...payout, url: `${publicUrl}/profile` }) : null;
  },

  async 'viewed-by-support'({ publicUrl }) {
    return viewedBySupportEmail({ url: `${publicUrl}/organization/activity` });
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

  async 'evidence-due'({ db, publicUrl }, { subjectId, params }) {
    const { eventId } = eventParams.parse(params);
    const due = await evidenceDueForEmail(db, eventId, firstOf(subjectId));
    return due ? evidenceDueEmail({ ...due, url: `${publicUrl}/profile` }) : null;
  },
};

const shownOrder = ({ tickets, ...order }: FoundFreeOrder) => ({
  ...order,
  tickets: tickets ?? 0,
  reservedUntil: reservedUntil({ ...order, totalCents: 0 }),
});

async function refundEmail(
  { db, publicUrl, appSecret }: RenderDeps,
  { subjectId, params }: QueuedEmail,
  render: (refund: RefundForEmail) => EmailLayout | null,
): Promise<EmailLayout | null> {
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
  render: (checkIn: CheckInForEmail) => EmailLayout | null,
): Promise<EmailLayout | null> {
  const { eventId } = eventParams.parse(params);
  const checkIn = await earlyCheckInForEmail(db, eventId, subjectId);
  if (!checkIn) return null;
  const token = checkInToken(appSecret, { eventId, checkInId: subjectId });
  return render({ ...checkIn, url: `${publicUrl}/checked-in/${eventId}/${token}` });
}

async function disputeEmail(
  { db, publicUrl }: RenderDeps,
  { subjectId, params }: QueuedEmail,
  render: (dispute: DisputeForEmail) => EmailLayout,
): Promise<EmailLayout | null> {
  const { eventId } = eventParams.parse(params);
  const found = await disputeForEmail(db, eventId, firstOf(subjectId));
  if (!found) return null;
  const { cancelledAt, excludedFrom, hasValidTickets, ...dispute } = found;
  const effect = { isCancelled: cancelledAt !== null, wasOnHold: excludedFrom !== null };
  return render({ ...dispute, ...effect, hasValidTickets: Boolean(hasValidTickets), url: `${publicUrl}/profile` });
}

async function pageUrl(deps: RenderDeps, path: `/${string}`, linkId: string): Promise<string> {
  return `${deps.publicUrl}${path}?token=${await tokenOf(deps, linkId)}`;
}

/** The subject without the recipient. */
const firstOf = (subjectId: string) => subjectId.split(' ', 1)[0] ?? '';

/** The link may have been made under an earlier secret than the email. */
async function tokenOf({ db, appSecret }: RenderDeps, linkId: string): Promise<string> {
  const tokenHash = await storedLinkHash(db, linkId);
  return (tokenHash && storedLinkToken(appSecret, linkId, tokenHash)) ?? linkToken(appSecret, linkId);
}

function isEmailKind(kind: string): kind is EmailKind {
  return Object.hasOwn(renderers, kind);
}
