/** Clients that repeat a call, whatever the answer, until the crowd stops. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Crowd {
  stop(): Promise<void>;
}

/** @param pauseMs of each client, between two calls */
export function sendCrowd(clients: number, call: () => Promise<unknown>, pauseMs = 100): Crowd {
  let isStopped = false;
  const loops = Array.from({ length: clients }, async () => {
    while (!isStopped) {
      await call().catch(() => {});
      await sleep(pauseMs);
    }
  });
  return {
    async stop() {
      isStopped = true;
      await Promise.all(loops);
    },
  };
}
