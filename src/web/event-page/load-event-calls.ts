import { loadCode } from '#web/load-code.ts';

/** The server has written the event into the page, so a visit begins without the calls and the schemas of their answers. */
export const loadEventCalls = () => loadCode(() => import('./event-calls.ts'));
