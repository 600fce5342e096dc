import type { FastifyInstance } from 'fastify';
import { takeDownEvent as endpoint } from '#contract/app/sales/event-life.ts';
import { eventTakenDown } from '#messages/sales/event-life.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { takeDownEvent } from './take-down-event.ts';

/** Here and not with the other routes of events, because it asks the orders whether anything is sold. */
export function takeDownRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, endpoint, async ({ eventId }, { organizer }) => {
    await takeDownEvent(deps, organizer, eventId);
    return { msg: eventTakenDown };
  });
}
