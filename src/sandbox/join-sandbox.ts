/**
 * The hosted pages for a process beside the one in which the sandbox runs. All state is in the database; what a page sets off,
 * a delivery or a move of the clock, is left to the sandbox, over its API.
 */

import type { FastifyPluginAsync } from 'fastify';
import type { PageCore } from './core.ts';
import { hostedPages } from './pages/hosted-pages.ts';

export interface JoinOptions extends Pick<PageCore, 'pool' | 'publicUrl' | 'secretKey' | 'isConsoleOpen'> {
  apiPort: number;
  /** This process' own, which follows the sandbox's. */
  clock: { now(): Date; catchUp(): Promise<void> };
}

export function joinSandbox({ apiPort, publicUrl, ...options }: JoinOptions): FastifyPluginAsync {
  const tell = async (path: string, what: object) => {
    const answer = await fetch(`http://127.0.0.1:${apiPort}/_sandbox/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(what),
    });
    if (!answer.ok) throw new Error(`the sandbox answered ${answer.status}`);
    await answer.body?.cancel();
  };

  return hostedPages({
    ...options,
    publicUrl: publicUrl.replace(/\/$/, ''),
    webhooks: {
      // Unheard, they still go out with the sandbox's next tick.
      wake: () => void tell('deliveries', {}).catch(() => {}),
    },
    scheduler: {
      async advance(seconds) {
        await tell('clock', { advance_seconds: seconds });
        await options.clock.catchUp();
      },
    },
  });
}
