import type { FastifyInstance } from 'fastify';
import { previewEvent as contract } from '#contract/app/sales/event-preview.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import type { RenderEvent } from './page-cache.ts';
import { previewEvent } from './preview-event.ts';

export function previewRoutes(app: FastifyInstance, deps: Deps, render: RenderEvent | null): void {
  mount(app, contract, async (input, { organizer }) => previewEvent(deps, organizer, input, render));
}
