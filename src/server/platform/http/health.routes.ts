/** For whoever watches the process: is it alive, and can it work. */
import type { FastifyInstance } from 'fastify';

export function health(app: FastifyInstance, isReady: () => Promise<boolean>): void {
  app.get('/livez', async () => ({ status: 'alive' }));

  app.get('/readyz', async (_request, reply) => {
    const ready = await isReady().catch(() => false);
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready' });
  });
}
