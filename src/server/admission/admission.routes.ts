import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/admission.ts';
import type { Deps } from '#server/deps.ts';
import { mount } from '#server/http/mount.ts';
import { changeAttendantCode } from './change-attendant-code.ts';
import { checkGuest } from './check-guest.ts';
import { enterAttendantCode, GRANT_SECONDS } from './enter-attendant-code.ts';

export function admissionRoutes(app: FastifyInstance, deps: Deps) {
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
