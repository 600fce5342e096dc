/**
 * Hosted pages for a process other than the one that runs the sandbox. State is in the database. Deliveries and clock changes
 * go through the sandbox's control API.
 */

import type { FastifyPluginAsync } from 'fastify';
import type { PageCore } from './core.ts';
import { hostedPages } from './pages/hosted-pages.ts';

export interface JoinOptions extends Pick<PageCore, 'pool' | 'publicUrl' | 'secretKey' | 'isConsoleOpen'> {
  apiPort: number;
  /** This process's clock, which follows the sandbox's. */
  clock: { now(): Date; catchUp(): Promise<void> };
}

export function joinSandbox({ apiPort, publicUrl, ...options }: JoinOptions): FastifyPluginAsync {
  const postControl = async (path: string, body: object) => {
    const response = await fetch(`http://127.0.0.1:${apiPort}/_sandbox/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`The sandbox responded with status ${response.status}`);
    await response.body?.cancel();
  };

  return hostedPages({
    ...options,
    publicUrl: publicUrl.replace(/\/$/, ''),
    webhooks: {
      // If the call fails, the sandbox's next tick delivers them.
      wake: () => void postControl('deliveries', {}).catch(() => {}),
    },
    scheduler: {
      async advance(seconds) {
        await postControl('clock', { advance_seconds: seconds });
        await options.clock.catchUp();
      },
    },
  });
}
