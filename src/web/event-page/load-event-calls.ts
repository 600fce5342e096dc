import { loadCode } from '#web/load-code.ts';

/** Loads the calls and their schemas on demand. */
export const loadEventCalls = () => loadCode(() => import('./event-calls.ts'));
