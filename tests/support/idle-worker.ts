/** A worker that serves nothing, for tests of the process supervisor. */

import { openChannel } from '#server/main/channel.ts';

// Like the out-of-memory killer, which gives no warning.
if (process.argv.includes('die at start')) process.kill(process.pid, 'SIGKILL');

const first = openChannel(process, {
  ping: () => true,
  pid: () => process.pid,
  hang: () => {
    for (;;);
  },
  exit: () => process.exit(1),
});
if (await first.ask('may start')) await first.ask('serving');
else await first.ask('failed', { given: { message: 'It is too cold.', code: 78 } });
