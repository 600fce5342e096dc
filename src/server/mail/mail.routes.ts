import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/guests.ts';
import type { Deps } from '#server/deps.ts';
import { mount } from '#server/http/mount.ts';
import { resendTicket } from './resend-ticket.ts';

export function mailRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, contract.resendTicket, async (input, { organizer }) => {
    await resendTicket(deps, { organizerId: organizer.userId, ...input });
    return { msg: contract.ticketResent };
  });
}
