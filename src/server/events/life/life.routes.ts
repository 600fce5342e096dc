import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/app/sales/event-life.ts';
import { draftDeleted } from '#messages/sales/event-life.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { deleteDraft } from './delete-draft.ts';
import { duplicateEvent } from './duplicate-event.ts';

/** Publishing a date concerns its series: see series-changes. Taking down an event asks its orders: see orders/take-down.routes.ts. */
export function lifeRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, contract.duplicateEvent, async (input, { organizer }) => duplicateEvent(deps, organizer, input));

  mount(app, contract.deleteDraft, async ({ eventId }, { organizer }) => {
    await deleteDraft(deps, organizer, eventId);
    return { msg: draftDeleted };
  });
}
