/** `npm run client:pack`: packs the client for programs as dist/handstamp-client-VERSION.tgz, for a release. */
import { mkdirSync } from 'node:fs';
import { npmCommand } from './install.mjs';
import { giveUp, root, run } from './run.mjs';

mkdirSync(new URL('../dist', import.meta.url), { recursive: true });
const [program, args] = npmCommand('pack', '--workspace=@handstamp/client', '--pack-destination=dist');
const { succeeded, output } = await run(program, args, { cwd: root });
if (!succeeded) giveUp(output);
console.log(output);
