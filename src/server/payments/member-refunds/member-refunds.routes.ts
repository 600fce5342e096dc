import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/app/sales/orders.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { refundTickets } from './refund-tickets.ts';

export function memberRefundRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, contract.refundTickets, (input, { organizer }) => refundTickets(deps, organizer, input));
}
