import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/app/sales/ticket-files.ts';
import type { ErrorCode } from '#messages/errors.ts';
import { ticketOfToken } from '#server/orders/order-link.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mountFile } from '#server/platform/http/mount-file.ts';
import { downloadTickets } from './download-tickets.ts';
import { downloadApplePass, googleSaveUrl } from './wallet-passes.ts';

const EXPLAINED = new Set<ErrorCode>([
  'checkout.unknown',
  'checkout.event-cancelled',
  'order.no-tickets',
  'order.ticket-ended',
]);

export function orderPageRoutes(app: FastifyInstance, deps: Deps): void {
  /** The page of the order or the ticket, which shows what became of it. */
  const explained = ({ code }: AppError, { token }: { token: string }): string | null =>
    EXPLAINED.has(code) ? `/${ticketOfToken(deps, token) ? 'ticket' : 'order'}/${encodeURIComponent(token)}` : null;

  mountFile(app, contract.ticketsPdf, 'application/pdf', (link) => downloadTickets(deps, link), explained);

  mountFile(
    app,
    contract.applePass,
    'application/vnd.apple.pkpass',
    (chosen) => downloadApplePass(deps, chosen),
    explained,
  );

  // Below the order's page, whose address sends no referrer.
  app.get<{ Params: { token: string; ticket: string } }>(
    '/order/:token/google-wallet/:ticket',
    async ({ params: { token, ticket } }, reply) => {
      const url = await googleSaveUrl(deps, { token, ticket: Number(ticket) }).catch((error: unknown) => {
        const denial: AppError | null = error instanceof AppError ? error : null;
        const page = denial && explained(denial, { token });
        if (page === null) throw error;
        return page;
      });
      return reply.header('cache-control', 'no-store').redirect(url, 302);
    },
  );
}
