/** Finds what happened for webhooks and sends it, more often than the job schedule allows. Every server runs it. */
import { readMoments } from '#server/backoffice/webhooks/read-moments.ts';
import { type SendDeps, sendDeliveries } from '#server/backoffice/webhooks/send-deliveries.ts';
import type { QueueTimes } from '#server/platform/jobs/queue-times.ts';
import { repeat } from './repeat.ts';

/** Calls in progress from this process. */
const MAX_CONCURRENT = 64;

export interface WebhookRounds {
  /** Resolves once all calls in progress have ended. */
  stop(): Promise<void>;
}

export function startWebhookRounds(deps: SendDeps, { roundMs }: Pick<QueueTimes, 'roundMs'>): WebhookRounds {
  const sending = new Set<Promise<void>>();
  let isAnswered = false;
  let isStopped = false;

  const readings = repeat(deps, { onFailure: 'reading changes for webhooks failed', pauseMs: roundMs }, async () => {
    await readMoments(deps, { isStopped: () => isStopped });
    return roundMs;
  });
  const sends = repeat(deps, { onFailure: 'sending webhooks failed', pauseMs: roundMs }, async () => {
    isAnswered = false;
    const begun = await sendDeliveries(deps, MAX_CONCURRENT - sending.size);
    for (const call of begun) {
      sending.add(call);
      void call.finally(() => {
        sending.delete(call);
        // The next one of its subject may go now. If a run is in progress, another one follows it.
        isAnswered = true;
        sends.runNow();
      });
    }
    return isAnswered ? 0 : roundMs;
  });

  return {
    async stop() {
      isStopped = true;
      await Promise.all([readings.stop(), sends.stop()]);
      await Promise.all(sending);
    },
  };
}
