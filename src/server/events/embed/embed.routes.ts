import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/app/programs/embed.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { editEmbed, readEmbed } from './edit-embed.ts';

export function embedRoutes(app: FastifyInstance, deps: Deps) {
  mount(app, contract.eventEmbed, ({ eventId }, { organizer }) => readEmbed(deps, organizer, eventId));
  mount(app, contract.editEmbed, (edit, { organizer }) => editEmbed(deps, organizer, edit));
}
