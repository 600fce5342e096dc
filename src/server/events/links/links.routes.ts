import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/app/records/links.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { addTrackingLink, removeTrackingLink } from './edit-links.ts';

export function linkRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, contract.addTrackingLink, (form, { organizer }) => addTrackingLink(deps, organizer, form));
  mount(app, contract.removeTrackingLink, (input, { organizer }) => removeTrackingLink(deps, organizer, input));
}
