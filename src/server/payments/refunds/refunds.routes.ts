import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/app/refunds.ts';
import { refundTicket } from '#contract/app/sales/ticket-transfers.ts';
import { dollarsOf } from '#domain/money.ts';
import { freeTicketCanceled, freeTicketRefundQueued, refundAccepted, ticketKept } from '#messages/refunds.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { keepTicket } from './keep-ticket.ts';
import { readRefund } from './read-refund.ts';
import { type AcceptedRefund, refundTicketOfOrder, requestRefund } from './request-refund.ts';

export function refundRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, contract.requestRefund, async ({ eventId, confirmationCode }, { ip }) =>
    refundReply(await requestRefund(deps, { eventId, confirmationCode, ip })),
  );
  mount(app, refundTicket, async (ticket, { ip }) => refundReply(await refundTicketOfOrder(deps, { ...ticket, ip })));
  mount(app, contract.refundStatus, ({ eventId, token }, { ip }) => readRefund(deps, { eventId, token, ip }));
  mount(app, contract.keepTicket, async ({ eventId, token }, { ip }) => {
    await keepTicket(deps, { eventId, token, ip });
    return { msg: ticketKept };
  });
}

function refundReply({ cents, isDelayed }: AcceptedRefund) {
  const free = isDelayed ? freeTicketRefundQueued : freeTicketCanceled;
  return { msg: cents > 0 ? refundAccepted : free, amount: dollarsOf(cents) };
}
