import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/app/sales/ticket-files.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mountFile } from '#server/platform/http/mount-file.ts';
import { downloadTickets } from './download-tickets.ts';
import { downloadApplePass, googleSaveUrl } from './wallet-passes.ts';

export function orderPageRoutes(app: FastifyInstance, deps: Deps): void {
  mountFile(app, contract.ticketsPdf, 'application/pdf', (link) => downloadTickets(deps, link));

  mountFile(app, contract.applePass, 'application/vnd.apple.pkpass', (chosen) => downloadApplePass(deps, chosen));

  // Below the order's page, whose address sends no referrer.
  app.get<{ Params: { token: string; ticket: string } }>(
    '/order/:token/google-wallet/:ticket',
    async ({ params: { token, ticket } }, reply) => {
      const url = await googleSaveUrl(deps, { token, ticket: Number(ticket) });
      return reply.header('cache-control', 'no-store').redirect(url, 302);
    },
  );
}
