/** Forwards the job queue's messages to the product's log. A failed job is logged with its error object, because the queue's text quotes the payload. */
import { Logger } from 'graphile-worker';
import type { Logger as Log } from 'pino';

export function jobLogger(log: Log): Logger {
  return new Logger((scope) => (level, message, meta) => {
    const jobName = scope.taskIdentifier;
    if (meta?.['failure'] === true) log.error({ jobName, err: meta['error'] }, 'a job failed');
    else if (level === 'error') log.error({ jobName, err: meta?.['error'] }, withoutDetails(message));
    else if (level === 'warning') log.warn({ jobName }, withoutDetails(message));
    else log.debug({ jobName }, withoutDetails(message));
  });
}

/** Cuts the message at the first colon: the error's own text, which may hold personal data, follows it. */
const withoutDetails = (message: string) => message.split(/:|\n/, 1)[0] ?? '';
