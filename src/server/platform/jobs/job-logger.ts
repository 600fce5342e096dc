/** The queue's own messages in the product's log, without payloads: of a job that failed, the error instead of a text with its words. */
import { Logger } from 'graphile-worker';
import type { Logger as Log } from 'pino';

export function jobLogger(log: Log): Logger {
  return new Logger((scope) => (level, message, meta) => {
    const jobName = scope.taskIdentifier;
    if (meta?.['failure'] === true) log.error({ jobName, err: meta['error'] }, 'a job failed');
    else if (level === 'error') log.error({ jobName, err: meta?.['error'] }, firstWords(message));
    else if (level === 'warning') log.warn({ jobName }, firstWords(message));
    else log.debug({ jobName }, firstWords(message));
  });
}

/** Before the first colon, after which an error's own words come. */
const firstWords = (message: string) => message.split(/:|\n/, 1)[0] ?? '';
