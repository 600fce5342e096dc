/** The audit log in words. */
import type { AuditParams } from '#contract/app/audit.ts';
import type { ActorKind, AuditAction } from '#domain/accounts/audit-actions.ts';
import { roleNames } from '../accounts/team.ts';
import { DATES, formatCents, plural, TICKETS } from '../format.ts';

type Message = string | ((params: AuditParams) => string);

const moneyOf = ({ cents }: AuditParams) => (cents === undefined ? '' : ` of ${formatCents(cents)}`);

const roleIn = (role: AuditParams['role']) => (role ? ` (${roleNames[role].toLowerCase()})` : '');

const auditMessages: Record<AuditAction, Message> = {
  'log-in': 'Logged in',
  'failed-logins': 'Blocked many failed logins',
  reauthenticate: 'Confirmed who they are',
  'end-session': 'Logged out a device',
  'change-password': 'Changed the password',
  'change-factors': 'Changed the second factors',
  'renew-recovery-codes': 'Made new recovery codes',
  'require-factor': 'Changed whether members need a second factor',
  'forget-factors': 'Removed all second factors of a person',
  'log-out-person': 'Logged a person out everywhere',
  'change-email': 'Changed the email address',
  'undo-email-change': 'Undid a change of the email address',
  'remove-unproven-set-up': 'Removed what was set up before the email address was verified',
  'change-account-info': 'Changed the account information',
  'edit-organization-page': "Changed the organization's page",
  'change-tax-id': 'Changed the tax ID',
  'invite-member': ({ role }) => `Invited a member${roleIn(role)}`,
  'withdraw-invitation': 'Withdrew an invitation',
  'join-organization': ({ role }) => `Joined the team${roleIn(role)}`,
  'change-role': ({ role }) => `Changed the access of a member${roleIn(role)}`,
  'remove-member': 'Removed a member',
  'create-api-key': 'Created an API key',
  'revoke-api-key': 'Revoked an API key',
  'create-webhook': 'Created a webhook',
  'edit-webhook': 'Changed a webhook',
  'rotate-webhook-secret': 'Rotated the secret of a webhook',
  'end-webhook': 'Ended a webhook',
  'leave-organization': 'Left the team',
  'open-payout-account': 'Opened the payout account',
  'confirm-payout-account': 'Confirmed the payout account',
  'restrict-payout-account': 'Stripe restricted the payout account',
  'stop-paid-sales': 'Stopped the sale of paid tickets',
  'close-payout-account': 'Stripe reported the payout account closed',
  'restore-payout-account': 'Stripe lifted the restriction of the payout account',
  'generate-affiliate-code': 'Generated an affiliate code',
  'create-event': 'Created the event',
  'publish-event': 'Published the event',
  'take-down-event': 'Took the event down',
  'duplicate-event': 'Duplicated an event',
  'add-dates': ({ dates = 0 }) => `Added ${plural(dates, DATES)} to an event`,
  'announce-draft-deletion': 'Emailed the owners that the draft will be deleted',
  'delete-draft': 'Deleted the draft',
  'edit-event': ({ isMoved }) => (isMoved ? 'Changed the date or the address' : 'Edited the event'),
  'add-promo-code': 'Added a promo code',
  'edit-promo-code': 'Edited a promo code',
  'end-promo-code': 'Ended a promo code',
  'edit-tax': 'Changed the sales tax in prices',
  'add-tracking-link': 'Added a tracking link',
  'remove-tracking-link': 'Removed a tracking link',
  'edit-questions': 'Edited what buyers are asked',
  'edit-name-search': ({ isOn }) => `Turned search by name at the door ${isOn ? 'on' : 'off'}`,
  'edit-embed-sites': 'Changed on which websites the tickets are shown',
  'add-comps': ({ tickets }) =>
    tickets === undefined ? 'Added guests at no charge' : `Added guests at no charge: ${plural(tickets, TICKETS)}`,
  'import-guests': ({ tickets }) =>
    tickets === undefined
      ? 'Imported guests at no charge'
      : `Imported guests at no charge: ${plural(tickets, TICKETS)}`,
  'withdraw-comp': 'Withdrew a ticket of a guest at no charge',
  'refund-tickets': ({ tickets }) =>
    tickets === undefined ? 'Refunded tickets' : `Refunded ${plural(tickets, TICKETS)}`,
  'correct-email': 'Corrected the email address of an order',
  'rebuild-order': (params) =>
    `Rebuilt a lost order${moneyOf(params)} ${params.isIssued ? 'and issued its tickets again' : 'without tickets'}`,
  'edit-door-note': 'Changed a door note',
  'cancel-event': 'Cancelled the event',
  'change-automatic-payouts': ({ isOn }) => `Turned automatic payouts ${isOn ? 'on' : 'off'}`,
  'request-payout': 'Requested the payout',
  'export-guests': 'Downloaded the guest list',
  'print-guests': 'Printed the guest list',
  'export-orders': 'Downloaded the orders',
  'export-check-ins': 'Downloaded the check-ins',
  'export-records': 'Downloaded all data of the account',
  'delete-account': 'Deleted the account',
  'delete-organization': 'Deleted the organization',
  'rotate-attendant-code': 'Changed the attendant code',
  'remove-check-in-device': 'Removed a check-in device',
  'undo-check-in': 'Undid a check-in',
  'find-guests': ({ found }) =>
    found === undefined
      ? 'Looked for a guest by name'
      : `Looked for a guest by name: ${found === 0 ? 'none' : found} found`,
  'check-in-found-guest': 'Checked in a guest found by name',
  'request-refund': 'Requested a refund',
  'keep-ticket': 'Stopped a refund to keep the ticket',
  'transfer-ticket': 'Transferred a ticket to another person',
  'object-to-check-in': 'Objected to an early check-in',
  'delete-records': 'Deleted their data',
  'appoint-admin': 'Made an account an admin',
  'dismiss-admin': "Ended an account's admin rights",
  retry: 'Tried a failed step again',
  'refund-order': (params) => `Refunded an order${moneyOf(params)}`,
  'paid-another-way': (params) => `Paid a buyer another way${moneyOf(params)}`,
  'write-off': (params) => `Wrote off a debt${moneyOf(params)}`,
  'keep-check-in': 'Let an early check-in stand',
  'undo-check-ins': 'Undid all early check-ins',
  'keep-check-ins': 'Let all early check-ins stand',
  'stop-sales': 'Stopped the sale of the event',
  'resume-sales': 'Resumed the sale of the event',
  'suspend-organization': 'Suspended the organization',
  'resume-organization': 'Lifted the suspension of the organization',
  'hold-payout': 'Put payouts of the event on hold',
  'release-payout': 'Released payouts of the event',
  'handle-reports': 'Handled reports of the event',
  'export-audit-log': 'Downloaded the audit log',
  'export-evidence': 'Downloaded the evidence for a dispute',
  'send-evidence': 'Sent the evidence for a dispute to Stripe',
  'create-plan': 'Created a plan',
  'edit-plan': 'Changed a plan',
  'retire-plan': 'Retired a plan',
  'offer-plan': 'Offered a retired plan again',
  'set-plan': "Changed the organization's plan",
  'set-reserve': "Changed the reserve of the organization's payouts",
  'view-as': 'Viewed the organization, without changing anything',
  'end-viewing': 'Stopped viewing the organization',
};

export function auditMessage(action: AuditAction, params: AuditParams): string {
  const message = auditMessages[action];
  return typeof message === 'string' ? message : message(params);
}

/** Who acted, if no name says it. */
export const actorNames: Record<ActorKind, string> = {
  member: 'A former member',
  operator: 'Support',
  key: 'An API key',
  buyer: 'A buyer',
  attendant: 'A check-in device',
  job: 'Handstamp',
};

export const activityPage = {
  title: 'Activity',
  lead: 'What happened in your organization, who did it, and when.',
  caption: 'Activity, newest first',
  filters: 'Filters',
  member: 'Member',
  everyone: 'Everyone',
  action: 'Action',
  allActions: 'All actions',
  event: 'Event',
  allEvents: 'All events',
  from: 'From',
  until: 'Until',
  when: 'When',
  who: 'Who',
  what: 'What',
  organization: 'Organization',
  older: 'Show older',
  none: 'Nothing here.',
  notLoaded: "We couldn't load the activity.",
  back: 'Back to your events',
};

export const auditPage = {
  title: 'Audit log',
  lead: 'What happened in all organizations.',
  organizationId: 'Organization ID',
  download: 'Download as CSV',
  back: 'Back to the dashboard',
};
