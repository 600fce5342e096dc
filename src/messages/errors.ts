/**
 * Every error that the product answers, by code. A text that depends on something is a function of the error's parameters.
 * An error whose code is not listed here, or whose parameters do not fit its text, does not compile.
 */
import type { Action } from '#domain/roles.ts';
import { codeErrors, onboardingIncomplete, registerErrors, resetErrors, verifyErrors, wrongLogin } from './accounts.ts';
import {
  alreadyScanned,
  checkInErrors,
  grantMissing,
  ticketOfOtherEvent,
  tooLateToUndo,
  tooManyDevices,
  wrongAttendantCode,
} from './check-in.ts';
import { deviceNotFound, organizerBrowserNotRemovable } from './check-in-dashboard.ts';
import { tooManyForList } from './check-in-offline.ts';
import {
  checkoutErrors,
  reservationExpired,
  reservationPaid,
  reviewErrors,
  soldOut,
  unknownCheckout,
} from './checkout.ts';
import {
  addressNotFound,
  cancelErrors,
  editErrors,
  eventChanged,
  eventErrors,
  eventNotFound,
  movedTooOften,
  quantityBelowSold,
  soldTicketRemoved,
} from './events.ts';
import { resendErrors } from './guests.ts';
import { operatorErrors } from './operator.ts';
import { notFoundPage, outage } from './pages.ts';
import { payoutDenials, payoutErrors } from './payouts.ts';
import { noPhotosSelected, photoErrors, photosNotSaved, unknownPhoto, uploadsUnderWay } from './photos.ts';
import { deletionDenials, unknownRecordsLink, wrongPassword } from './privacy.ts';
import { refundErrors, refundLinkErrors } from './refunds.ts';
import {
  badSignature,
  bodyTooLarge,
  crossSite,
  forbidden,
  notJson,
  notMultipart,
  paymentsUnreachable,
  requestTooSlow,
  signedOut,
  tooBusy,
  tooManyAttempts,
  unreadableBody,
} from './requests.ts';
import { noWaitingRoom, roomNotOpen, startHasPassed, turnErrors } from './waiting-room.ts';

/** The same texts, each under `prefix.key`. */
function prefixed<Prefix extends string, Texts extends Record<string, string>>(prefix: Prefix, texts: Texts) {
  const entries = Object.entries(texts).map(([key, text]) => [`${prefix}.${key}`, text]);
  return Object.fromEntries(entries) as { [Key in keyof Texts & string as `${Prefix}.${Key}`]: string };
}

/** An error that a later attempt may not meet. */
const later = (text: string) => (_: { retryAfterSeconds: number }) => text;

const withFileName =
  (text: string) =>
  ({ fileName }: { fileName: string }) =>
    fileName ? `${text} (${fileName.slice(0, 100)})` : text;

export const errorTexts = {
  ...prefixed('account-deletion', { ...deletionDenials, 'wrong-password': wrongPassword }),
  ...prefixed('action-item', operatorErrors),
  ...prefixed('affiliate-code', codeErrors),
  ...prefixed('cancel', cancelErrors),
  ...prefixed('check-in', checkInErrors),
  ...prefixed('checkout', checkoutErrors),
  ...prefixed('edit', editErrors),
  ...prefixed('email-verification', verifyErrors),
  ...prefixed('event', eventErrors),
  ...prefixed('password-reset', resetErrors),
  ...prefixed('payout', payoutDenials),
  ...prefixed('payout-account', payoutErrors),
  ...prefixed('refund', refundErrors),
  ...prefixed('refund-link', refundLinkErrors),
  ...prefixed('register', registerErrors),
  ...prefixed('resend', resendErrors),
  ...prefixed('review', reviewErrors),
  ...prefixed('waiting-room', turnErrors),

  'address.not-found': addressNotFound,
  'attendant-code.missing': grantMissing,
  'attendant-code.wrong': wrongAttendantCode,
  'check-in.already-in': ({ time, device }: { time: string; device: string | null }) => alreadyScanned(time, device),
  'check-in.other-event': ({ title }: { title: string }) => ticketOfOtherEvent(title),
  'check-in.too-late-to-undo': tooLateToUndo,
  'checkout.already-paid': reservationPaid,
  'checkout.reservation-expired': reservationExpired,
  'checkout.sold-out': ({ name }: { name: string }) => soldOut(name),
  'checkout.unknown': unknownCheckout,
  'device.not-found': deviceNotFound,
  'device.own-browser': organizerBrowserNotRemovable,
  'device.too-many': tooManyDevices,
  'edit.moved-too-often': movedTooOften,
  'edit.quantity-below-sold': ({ name, reserved }: { name: string; reserved: number }) =>
    quantityBelowSold(name, reserved),
  'edit.sales-started': startHasPassed,
  'edit.sold-type-removed': ({ name }: { name: string }) => soldTicketRemoved(name),
  'event.changed': eventChanged.msg,
  'event.not-found': eventNotFound,
  /** The first rule of the form that the input breaks, in the form's words. */
  'form.invalid': ({ message }: { message: string }) => message,
  'login.wrong': wrongLogin,
  'offline-list.too-long': tooManyForList,
  'onboarding.incomplete': onboardingIncomplete,
  'organization.forbidden': (_: { action: Action }) => forbidden,
  'page.not-found': notFoundPage,
  'payments.unreachable': later(paymentsUnreachable),
  'photo.no-files': photoErrors['no-files'],
  'photo.none-selected': noPhotosSelected,
  'photo.not-a-photo': withFileName(photoErrors['not-a-photo']),
  'photo.not-saved': later(photosNotSaved),
  'photo.too-large': withFileName(photoErrors['too-large']),
  'photo.too-many': photoErrors['too-many'],
  'photo.too-many-pixels': withFileName(photoErrors['too-many-pixels']),
  'photo.too-slow': withFileName(photoErrors['too-slow']),
  'photo.unknown': unknownPhoto,
  'photo.uploads-under-way': later(uploadsUnderWay),
  'rate-limit.exceeded': later(tooManyAttempts),
  'records-link.unknown': unknownRecordsLink,
  'request.cross-site': crossSite,
  'request.not-json': notJson,
  'request.not-multipart': notMultipart,
  'request.too-large': bodyTooLarge,
  'request.too-slow': requestTooSlow,
  'request.unreadable': unreadableBody,
  'server.busy': later(tooBusy),
  'server.outage': outage,
  'session.missing': signedOut,
  'waiting-room.none': noWaitingRoom,
  'waiting-room.not-open': roomNotOpen,
  'webhook.bad-signature': badSignature,
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
