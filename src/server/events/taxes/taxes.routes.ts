import type { FastifyInstance } from 'fastify';
import { editEventTax } from '#contract/app/records/event-tax.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { editTax } from './edit-tax.ts';

export function taxesRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, editEventTax, (form, { organizer }) => editTax(deps, organizer, form));
}
