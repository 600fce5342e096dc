import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/app/sales/ticket-files.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mountFile } from '#server/platform/http/mount-file.ts';
import { downloadTickets } from './download-tickets.ts';

export function orderPageRoutes(app: FastifyInstance, deps: Deps): void {
  mountFile(app, contract.ticketsPdf, 'application/pdf', (link) => downloadTickets(deps, link));
}
