/** Forwards the job queue's messages to the product's log. A failed job is logged with its error object, because the queue's text quotes the payload. */
import { Logger } from 'graphile-worker';
import type { Logger as Log } from 'pino';
import { tallyJobFailure } from '#server/platform/metrics/tallies.ts';

export function jobLogger(log: Log): Logger {
  return new Logger((scope) => (level, message, meta) => {
    // The queue's own messages have a scope, those about a job have the job.
    const jobName = scope.taskIdentifier ?? taskOf(meta?.['job']);
    if (meta?.['failure'] === true) {
      tallyJobFailure(jobName ?? 'unknown');
      log.error({ jobName, err: meta['error'] }, 'a job failed');
    } else if (level === 'error') log.error({ jobName, err: meta?.['error'] }, withoutDetails(message));
    else if (level === 'warning') log.warn({ jobName }, withoutDetails(message));
    else log.debug({ jobName }, withoutDetails(message));
  });
}

function taskOf(job: unknown): string | undefined {
  const isNamed = typeof job === 'object' && job !== null && 'task_identifier' in job;
  return isNamed && typeof job.task_identifier === 'string' ? job.task_identifier : undefined;
}

/** Cuts the message at the first colon: the error's own text, which may hold personal data, follows it. */
const withoutDetails = (message: string) => message.split(/:|\n/, 1)[0] ?? '';
