/** Before a server closes its port, it says that it isn't ready, so that no load balancer sends a request to a closed port. */
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Drain {
  hasBegun(): boolean;
  /** Ends the connections of this server with their next answer, once draining has begun. */
  endConnectionsOf(server: Server): void;
  /** Resolves when every load balancer has had time to read `/readyz`. */
  begin(): Promise<void>;
}

export function openDrain({ seconds }: { seconds: number }): Drain {
  let hasBegun = false;
  return {
    hasBegun: () => hasBegun,
    endConnectionsOf(server) {
      // First of all listeners: load shedding and cached pages answer without Fastify.
      server.prependListener('request', (_request, response) => {
        if (hasBegun) response.setHeader('connection', 'close');
      });
    },
    async begin() {
      hasBegun = true;
      await sleep(seconds * 1000);
    },
  };
}
