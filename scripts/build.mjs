/**
 * `npm run build`: the web for both sides, whether or not its sources have changed. First the server's types are checked: a call
 * that does not say who may call it, or whose kind of caller has no guard, is not built.
 */
import { giveUp, run, withPackages } from './run.mjs';
import { buildWeb } from './web-build.mjs';

const types = await run('tsc', ['-p', 'src/server'], { env: withPackages() });
if (!types.succeeded) giveUp(types.said);

const build = await buildWeb();
if (!build.succeeded) giveUp(build.said);
