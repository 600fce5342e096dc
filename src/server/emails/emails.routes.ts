import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/app/guests.ts';
import { ticketResent } from '#messages/guests.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { resendTicket } from './resend-ticket.ts';

export function emailRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, contract.resendTicket, async (input, { organizer }) => {
    await resendTicket(deps, organizer, input);
    return { msg: ticketResent };
  });
}
