/**
 * Every error that the product answers, by code. A text that depends on something is a function of the error's parameters.
 * An error whose code is not listed here, or whose parameters do not fit its text, does not compile.
 */
import { accountErrors } from './accounts.ts';
import { checkInErrors, deviceErrors } from './check-in.ts';
import { checkoutErrors } from './checkout.ts';
import { earlyCheckInErrors } from './early-check-in.ts';
import { eventErrors } from './events.ts';
import { guestErrors } from './guests.ts';
import { brakeErrors } from './operations/brakes.ts';
import { evidenceErrors } from './operations/evidence.ts';
import { operatorErrors } from './operator.ts';
import { payoutErrors } from './payouts.ts';
import { photoErrors } from './photos.ts';
import { privacyErrors } from './privacy.ts';
import { apiKeyErrors } from './programs/api-keys.ts';
import { embedErrors } from './programs/embed.ts';
import { webhookErrors } from './programs/webhook-errors.ts';
import { planErrors } from './records/plans.ts';
import { linkErrors } from './records/tracking-links.ts';
import { viewingErrors } from './records/viewing.ts';
import { refundErrors } from './refunds.ts';
import { requestErrors } from './requests.ts';
import { compErrors } from './sales/comps.ts';
import { contactErrors } from './sales/contact.ts';
import { doorNoteErrors } from './sales/door-notes.ts';
import { eventLifeErrors } from './sales/event-life.ts';
import { freeOrderErrors } from './sales/free-orders.ts';
import { importErrors } from './sales/import-guests.ts';
import { orderNameErrors } from './sales/order-names.ts';
import { memberRefundErrors } from './sales/orders.ts';
import { organizationPageErrors } from './sales/page-settings.ts';
import { promoErrors } from './sales/promo.ts';
import { questionErrors } from './sales/questions.ts';
import { ticketFileErrors } from './sales/ticket-files.ts';
import { transferErrors } from './sales/ticket-transfers.ts';
import { seriesErrors } from './series/series.ts';
import { seriesChangeErrors } from './series/series-changes.ts';
import { waitingRoomErrors } from './waiting-room.ts';

export const errorTexts = {
  ...accountErrors,
  ...apiKeyErrors,
  ...brakeErrors,
  ...evidenceErrors,
  ...checkInErrors,
  ...deviceErrors,
  ...checkoutErrors,
  ...doorNoteErrors,
  ...earlyCheckInErrors,
  ...embedErrors,
  ...eventErrors,
  ...eventLifeErrors,
  ...compErrors,
  ...contactErrors,
  ...freeOrderErrors,
  ...guestErrors,
  ...importErrors,
  ...linkErrors,
  ...operatorErrors,
  ...memberRefundErrors,
  ...orderNameErrors,
  ...organizationPageErrors,
  ...payoutErrors,
  ...photoErrors,
  ...planErrors,
  ...privacyErrors,
  ...promoErrors,
  ...questionErrors,
  ...refundErrors,
  ...seriesErrors,
  ...requestErrors,
  ...seriesChangeErrors,
  ...ticketFileErrors,
  ...transferErrors,
  ...viewingErrors,
  ...waitingRoomErrors,
  ...webhookErrors,
};

export type ErrorCode = keyof typeof errorTexts;

type Text<Code extends ErrorCode> = (typeof errorTexts)[Code];

/** What an error of this code says besides its code: nothing, or one object. */
export type ErrorParams<Code extends ErrorCode> =
  Text<Code> extends (params: infer Params) => string ? [params: Params] : [];

export function errorText<Code extends ErrorCode>(code: Code, ...params: ErrorParams<Code>): string {
  const text: string | ((params: never) => string) = errorTexts[code];
  return typeof text === 'string' ? text : text((params[0] ?? {}) as never);
}
