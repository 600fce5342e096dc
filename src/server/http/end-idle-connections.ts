/**
 * Lets a closing server end. Closing takes away the connections that are idle at that moment; one whose answer was on its
 * way becomes idle a little later, and would be waited for as long as its visitor keeps it.
 */
import type { FastifyInstance } from 'fastify';

const EVERY_MS = 100;

export function endIdleConnections(app: FastifyInstance): void {
  app.addHook('preClose', async () => {
    const sweeping = setInterval(() => app.server.closeIdleConnections(), EVERY_MS).unref();
    app.server.once('close', () => clearInterval(sweeping));
  });
}
