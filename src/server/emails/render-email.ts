import * as z from 'zod/mini';
import { hashOfToken, refundToken } from '#server/payments/refunds/refund-token.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { MailKind } from '#server/platform/outbox/queue-email.ts';
import { changeOfEvent, usableTickets } from './outbox.sql.ts';
import {
  cancelledForMail,
  disputeForMail,
  payoutForMail,
  refundForMail,
  unfillableForMail,
} from './payment-emails.sql.ts';
import {
  accountInfoChangedLetter,
  confirmNewEmailLetter,
  emailChangeNoticeLetter,
  passwordChangedLetter,
  passwordGuessedLetter,
  recordsLinkLetter,
  resetPasswordLetter,
  verifyEmailLetter,
} from './templates/account.ts';
import { type DisputeForMail, disputeEndedLetter, disputeOpenedLetter } from './templates/dispute.ts';
import { eventCancelledLetter, eventChangedLetter } from './templates/event.ts';
import type { Letter } from './templates/layout.ts';
import { orderUnfillableLetter } from './templates/order-unfulfillable.ts';
import { payoutSentLetter } from './templates/payout-sent.ts';
import type { RefundForMail } from './templates/refund.ts';
import {
  refundAcceptedLetter,
  refundFailedLetter,
  refundRefusedLetter,
  refundRequestedLetter,
} from './templates/refund.ts';
import { ticketsLetter } from './templates/tickets.ts';

interface QueuedRow {
  kind: string;
  subjectId: string;
  params: unknown;
}

type RenderDeps = Pick<Deps, 'db' | 'publicUrl' | 'appSecret'>;
type Render = (deps: RenderDeps, row: QueuedRow) => Promise<Letter | null>;

const linkParams = z.object({ token: z.string() });
const noticeParams = z.object({ token: z.string(), newEmail: z.string() });
const changeParams = z.object({ eventId: z.string(), changeId: z.string() });
const eventParams = z.object({ eventId: z.string() });
const unfillableParams = z.object({
  eventId: z.string(),
  reason: z.enum(['sold-out', 'event-cancelled', 'event-ended', 'payment-differs']),
});
const cancelledParams = z.object({ eventId: z.string(), buyerEmail: z.string() });

/** What each kind of mail says, from what the database says now; `null` when there is nothing left to tell. */
const renderers: Record<MailKind, Render> = {
  async 'verify-email'({ publicUrl }, { params }) {
    return verifyEmailLetter({ url: linkUrl(publicUrl, linkParams.parse(params)) });
  },

  async 'reset-password'({ publicUrl }, { params }) {
    const { token } = linkParams.parse(params);
    return resetPasswordLetter({ url: `${publicUrl}/reset-password/${encodeURIComponent(token)}` });
  },

  async 'records-link'({ publicUrl }, { params }) {
    const { token } = linkParams.parse(params);
    return recordsLinkLetter({ url: `${publicUrl}/privacy/${encodeURIComponent(token)}` });
  },

  async 'password-changed'({ publicUrl }) {
    return passwordChangedLetter({ url: `${publicUrl}/forgot-password` });
  },

  async 'password-guessed'({ publicUrl }) {
    return passwordGuessedLetter({ url: `${publicUrl}/forgot-password` });
  },

  async 'account-info-changed'({ publicUrl }) {
    return accountInfoChangedLetter({ url: `${publicUrl}/forgot-password` });
  },

  async 'confirm-new-email'({ publicUrl }, { params }) {
    return confirmNewEmailLetter({ url: linkUrl(publicUrl, linkParams.parse(params)) });
  },

  async 'email-change-notice'({ publicUrl }, { params }) {
    const { token, newEmail } = noticeParams.parse(params);
    return emailChangeNoticeLetter({ url: linkUrl(publicUrl, { token }), newEmail });
  },

  async 'event-changed'({ db, publicUrl }, { params }) {
    const { eventId, changeId } = changeParams.parse(params);
    const change = await changeOfEvent(db, eventId, changeId);
    if (!change || change.now.cancelledAt) return null;
    const eventUrl = `${publicUrl}/payment/${eventId}`;
    const refundUrl = `${publicUrl}/refund/${eventId}`;
    return eventChangedLetter({ title: change.now.title, ...change, eventUrl, refundUrl });
  },

  async tickets({ db, publicUrl }, { subjectId, params }) {
    const { eventId } = eventParams.parse(params);
    return ticketsLetter(await usableTickets(db, eventId, { orderId: subjectId }), publicUrl);
  },

  async 'order-unfillable'({ db }, { subjectId, params }) {
    const { eventId, reason } = unfillableParams.parse(params);
    const order = await unfillableForMail(db, eventId, subjectId);
    return order ? orderUnfillableLetter({ ...order, reason }) : null;
  },

  async ticket({ db, publicUrl }, { subjectId, params }) {
    const { eventId } = eventParams.parse(params);
    return ticketsLetter(await usableTickets(db, eventId, { ticketId: subjectId }), publicUrl);
  },

  'refund-requested': (deps, row) => refundMail(deps, row, refundRequestedLetter),
  'refund-accepted': (deps, row) => refundMail(deps, row, refundAcceptedLetter),
  'refund-refused': (deps, row) => refundMail(deps, row, refundRefusedLetter),
  'refund-failed': (deps, row) => refundMail(deps, row, refundFailedLetter),

  async 'event-cancelled'({ db }, { params }) {
    const { eventId, buyerEmail } = cancelledParams.parse(params);
    const cancelled = await cancelledForMail(db, eventId, buyerEmail);
    return cancelled ? eventCancelledLetter(cancelled) : null;
  },

  async 'payout-sent'({ db, publicUrl }, { subjectId, params }) {
    const { eventId } = eventParams.parse(params);
    const payout = await payoutForMail(db, eventId, subjectId);
    return payout ? payoutSentLetter({ ...payout, url: `${publicUrl}/profile` }) : null;
  },

  'dispute-opened': (deps, row) => disputeMail(deps, row, disputeOpenedLetter),
  'dispute-ended': (deps, row) => disputeMail(deps, row, disputeEndedLetter),
};

export async function renderMail(deps: RenderDeps, row: QueuedRow): Promise<Letter | null> {
  if (!isMailKind(row.kind)) throw new Error(`no template for mail of kind "${row.kind}"`);
  return renderers[row.kind](deps, row);
}

async function refundMail(
  { db, publicUrl, appSecret }: RenderDeps,
  { subjectId, params }: QueuedRow,
  write: (refund: RefundForMail) => Letter | null,
): Promise<Letter | null> {
  const { eventId } = eventParams.parse(params);
  const found = await refundForMail(db, eventId, subjectId);
  if (!found) return null;
  const { linkHash, ...refund } = found;
  const token = refundToken(appSecret, subjectId);
  // Refunds that nobody asked for have no link, and one that was made under another secret would lead nowhere.
  const hasLink = linkHash !== null && linkHash.equals(hashOfToken(token));
  return write({ ...refund, url: hasLink ? `${publicUrl}/refund/${eventId}/${token}` : null });
}

async function disputeMail(
  { db, publicUrl }: RenderDeps,
  { subjectId, params }: QueuedRow,
  write: (dispute: DisputeForMail) => Letter,
): Promise<Letter | null> {
  const { eventId } = eventParams.parse(params);
  const found = await disputeForMail(db, eventId, subjectId);
  if (!found) return null;
  const { cancelledAt, withheldFrom, hasGoodTickets, ...dispute } = found;
  const facts = { isCancelled: cancelledAt !== null, wasWithheld: withheldFrom !== null };
  return write({ ...dispute, ...facts, hasGoodTickets: Boolean(hasGoodTickets), url: `${publicUrl}/profile` });
}

/** One page opens every link but the one that asks for a new password: the link itself knows what it is for. */
function linkUrl(publicUrl: string, { token }: { token: string }): string {
  return `${publicUrl}/verify-email?token=${encodeURIComponent(token)}`;
}

function isMailKind(kind: string): kind is MailKind {
  return Object.hasOwn(renderers, kind);
}
