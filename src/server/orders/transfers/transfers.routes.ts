import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/app/sales/ticket-transfers.ts';
import { emailCorrected, ticketTransferred } from '#messages/sales/ticket-transfers.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { correctEmail } from './correct-email.ts';
import { transferTicket } from './transfer-ticket.ts';

export function transferRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, contract.transferTicket, async (input, { ip }) => {
    await transferTicket(deps, input, { ip });
    return { msg: ticketTransferred };
  });

  mount(app, contract.correctEmail, async (input, { organizer }) => {
    await correctEmail(deps, organizer, input);
    return { msg: emailCorrected };
  });
}
