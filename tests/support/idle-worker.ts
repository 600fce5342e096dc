/** A worker that serves nothing, for tests of the process supervisor. */

import { openChannel } from '#server/main/channel.ts';

// Like the out-of-memory killer, which gives no warning.
if (process.argv.includes('die at once')) process.kill(process.pid, 'SIGKILL');

const first = openChannel(process, {
  'are you there': () => true,
  'who are you': () => process.pid,
  'hang now': () => {
    for (;;);
  },
  'end now': () => process.exit(1),
});
if (await first.ask('may I start')) await first.ask('serving');
else await first.ask('failed', { given: { words: 'It is too cold.', code: 78 } });
