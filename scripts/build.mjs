/** `npm run build`: the web for both sides, whether or not its sources have changed. */
import { giveUp } from './run.mjs';
import { buildWeb } from './web-build.mjs';

const build = await buildWeb();
if (!build.succeeded) giveUp(build.said);
