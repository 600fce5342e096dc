/** A worker that serves nothing, for tests of whoever looks after workers. */
import { openChannel } from '#server/main/channel.ts';

// As when the system is short of memory: nobody is told.
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
