/**
 * `npm run build`: builds the web pages, even if their sources are unchanged. Type checks the server first: an endpoint
 * without access control does not compile.
 */
import { giveUp, run, withPackages } from './run.mjs';
import { buildWeb } from './web-build.mjs';

const types = await run('tsc', ['-p', 'src/server'], { env: withPackages() });
if (!types.succeeded) giveUp(types.output);

const build = await buildWeb();
if (!build.succeeded) giveUp(build.output);
