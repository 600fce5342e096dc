import type { FastifyInstance } from 'fastify';
import { profile } from '#contract/app/accounts.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { readProfile } from './read-profile.ts';

export function profileRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, profile, (_input, { organizer }) => readProfile(deps, organizer));
}
