import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/app/waiting-room.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { cookiesOf } from '#server/platform/http/cookies.ts';
import { mount } from '#server/platform/http/mount.ts';
import { joinWaitingRoom } from './join-waiting-room.ts';
import { notePoll } from './presence.ts';
import { readSale } from './sale.ts';

/** Longer than any wait. The server decides whether a pass is still valid, not the cookie's lifetime. */
const PASS_SECONDS = 30 * 24 * 60 * 60;

export function waitingRoomRoutes(app: FastifyInstance, deps: Deps) {
  mount(app, contract.joinWaitingRoom, async ({ eventId }, { ip, cookies }) => {
    const { cookie, ...place } = await joinWaitingRoom(deps, { eventId, ip, cookie: cookies.read('pass') });
    if (cookie !== null) cookies.write('pass', cookie, PASS_SECONDS);
    return place;
  });

  // Every waiting browser polls this, so the JSON is prepared once: see readSale.
  app.get<{ Params: { eventId: string } }>(contract.waitingRoom.path, async (request, reply) => {
    const sale = await readSale(deps, request.params.eventId);
    if (!sale) throw new AppError('waiting-room.none');
    const cookie = cookiesOf(request, reply, deps.publicUrl.startsWith('https:')).read('pass');
    if (sale.room) notePoll(deps, { eventId: request.params.eventId, room: sale.room, cookie });
    return (
      reply
        // Each poll confirms a pass, so no shared cache may answer it.
        .header('cache-control', 'private, max-age=1')
        .type('application/json; charset=utf-8')
        .send(`${sale.publicJson},"now":"${deps.clock.now().toISOString()}"}`)
    );
  });
}
