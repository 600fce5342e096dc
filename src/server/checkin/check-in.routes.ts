import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/admission.ts';
import { syncScans as handInScansEndpoint, undoCheckIn as takeBackScanEndpoint } from '#contract/door.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { checkGuest } from './check-guest.ts';
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
    return { msg: contract.attendantAccepted };
  });

  mount(app, contract.changeAttendantCode, async ({ eventId }, { organizer }) =>
    changeAttendantCode(deps, organizer.userId, eventId),
  );

  mount(app, contract.checkGuest, async ({ confirmationNumber, scanId }, { attendant }) =>
    checkGuest(deps, attendant, confirmationNumber, scanId),
  );

  mount(app, contract.checkGuestManual, async ({ manualFormData, scanId }, { attendant }) =>
    // A program that filled the hidden field gets the answer to a wrong code.
    checkGuest(deps, attendant, manualFormData.honeypot ? '' : manualFormData.confirmationNumber, scanId),
  );
}

/** @param first whose connections are kept for guests who stand at the door: what was decided long ago may wait for others */
export function syncRoutes(app: FastifyInstance, deps: Deps, first: Deps) {
  mount(app, handInScansEndpoint, async ({ scans }, { attendant }) => syncScans(deps, attendant, scans));

  mount(app, takeBackScanEndpoint, async ({ scanId }, { attendant }) => undoCheckIn(first, attendant, scanId));
}
