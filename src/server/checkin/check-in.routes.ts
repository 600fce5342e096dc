import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/app/check-in.ts';
import { syncScans as syncScansEndpoint, undoCheckIn as undoCheckInEndpoint } from '#contract/app/check-in-devices.ts';
import { attendantAccepted } from '#messages/check-in.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { checkGuest } from './check-guest.ts';
import { checkInReply } from './check-in.replies.ts';
import { changeAttendantCode } from './devices/change-attendant-code.ts';
import { enterAttendantCode, GRANT_SECONDS } from './devices/enter-attendant-code.ts';
import { syncScans } from './sync/sync-scans.ts';
import { undoCheckIn } from './sync/undo-check-in.ts';

export function checkInRoutes(app: FastifyInstance, deps: Deps) {
  mount(app, contract.enterAttendantCode, async ({ formData, eventId }, { ip, cookies }) => {
    const cookie = await enterAttendantCode(deps, {
      eventId,
      attendantCode: formData.attendantCode,
      deviceName: formData.deviceName ?? '',
      isSpam: Boolean(formData.honeypot),
      ip,
      cookie: cookies.read('attendant'),
    });
    cookies.write('attendant', cookie, GRANT_SECONDS);
    return { msg: attendantAccepted };
  });

  mount(app, contract.changeAttendantCode, async ({ eventId }, { organizer }) =>
    changeAttendantCode(deps, organizer, eventId),
  );

  mount(app, contract.checkGuest, async ({ confirmationNumber, scanId }, { attendant }) =>
    checkInReply(await checkGuest(deps, attendant, confirmationNumber, scanId)),
  );

  mount(app, contract.checkGuestManual, async ({ manualFormData, scanId }, { attendant }) =>
    // A bot that fills the honeypot gets the same response as a wrong code.
    checkInReply(
      await checkGuest(deps, attendant, manualFormData.honeypot ? '' : manualFormData.confirmationNumber, scanId),
    ),
  );
}

/** @param priorityDeps with the connection pool reserved for check-ins; syncing past scans uses the shared pool */
export function syncRoutes(app: FastifyInstance, deps: Deps, priorityDeps: Deps) {
  mount(app, syncScansEndpoint, async ({ scans }, { attendant }) => syncScans(deps, attendant, scans));

  mount(app, undoCheckInEndpoint, async ({ scanId }, { attendant }) => undoCheckIn(priorityDeps, attendant, scanId));
}
