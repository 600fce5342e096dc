/** Liveness and readiness probes. */
import type { FastifyInstance } from 'fastify';

export function health(app: FastifyInstance, isReady: () => Promise<boolean>): void {
  app.get('/livez', async () => ({ status: 'alive' }));

  app.get('/readyz', async (_request, reply) => {
    const isReadyNow = await isReady().catch(() => false);
    return reply.code(isReadyNow ? 200 : 503).send({ status: isReadyNow ? 'ready' : 'not ready' });
  });
}
