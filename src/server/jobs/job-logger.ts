/** The queue's own messages in the product's log, without payloads. */
import { Logger } from 'graphile-worker';
import type { Logger as Log } from 'pino';

export function jobLogger(log: Log): Logger {
  return new Logger((scope) => (level, message) => {
    const jobName = scope.taskIdentifier;
    if (level === 'error') log.error({ jobName }, message);
    else if (level === 'warning') log.warn({ jobName }, message);
    else log.debug({ jobName }, message);
  });
}
