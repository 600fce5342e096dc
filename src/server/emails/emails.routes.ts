import type { FastifyInstance } from 'fastify';
import { resendOrder as resendOrderEndpoint } from '#contract/app/checkout.ts';
import * as contract from '#contract/app/guests.ts';
import { contactOrganizer as contactEndpoint } from '#contract/app/sales/contact.ts';
import * as findTickets from '#contract/app/sales/find-tickets.ts';
import { resendOrderToBuyer as resendToBuyerEndpoint } from '#contract/app/sales/orders.ts';
import { ticketResent } from '#messages/guests.ts';
import { contactSent } from '#messages/sales/contact.ts';
import { orderResent } from '#messages/sales/order-page.ts';
import { orderResentToBuyer } from '#messages/sales/orders.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { PUBLIC_ID } from '#server/platform/ids.ts';
import { contactOrganizer } from './contact/contact-organizer.ts';
import { emailMyTickets } from './find-tickets.ts';
import { eventForEmail } from './outbox.sql.ts';
import { resendOrder, resendOrderToBuyer } from './resend-order.ts';
import { resendTicket } from './resend-ticket.ts';
import { calendarFile } from './templates/tickets.ts';

/** Read again by calendars that subscribe to it. */
const CALENDAR_HEADERS = {
  'content-disposition': 'attachment; filename="event.ics"',
  'cache-control': 'no-cache',
};

export function emailRoutes(app: FastifyInstance, deps: Deps): void {
  app.get<{ Params: { eventId: string } }>('/payment/:eventId/event.ics', async ({ params: { eventId } }, reply) => {
    const entry = PUBLIC_ID.test(eventId) ? await eventForEmail(deps.db, eventId) : null;
    if (!entry) throw new AppError('event.not-found');
    const { content, contentType } = calendarFile(entry, { publicUrl: deps.publicUrl, now: deps.clock.now() });
    return reply.headers(CALENDAR_HEADERS).type(contentType).send(content);
  });

  mount(app, contract.resendTicket, async (input, { organizer }) => {
    await resendTicket(deps, organizer, input);
    return { msg: ticketResent };
  });

  mount(app, findTickets.emailMyTickets, (input, { ip }) => emailMyTickets(deps, { ...input, ip }));

  mount(app, contactEndpoint, async (input, { ip }) => {
    await contactOrganizer(deps, input, ip);
    return { msg: contactSent };
  });

  mount(app, resendToBuyerEndpoint, async (input, { organizer }) => {
    await resendOrderToBuyer(deps, organizer, input);
    return { msg: orderResentToBuyer };
  });

  mount(app, resendOrderEndpoint, async (input) => {
    await resendOrder(deps, input);
    return { msg: orderResent };
  });
}
