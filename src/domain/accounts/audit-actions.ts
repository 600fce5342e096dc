/** What the audit log records. Rows keep these codes for good: add codes, rename none. */

/** `attendant` is a check-in device, `buyer` someone with an order and no account, `job` the product itself. */
export const actorKinds = ['member', 'operator', 'key', 'buyer', 'attendant', 'job'] as const;

export type ActorKind = (typeof actorKinds)[number];

/** Each action, and who does it unless its event says otherwise. */
export const auditActions = {
  'log-in': 'member',
  'failed-logins': 'job',
  'end-session': 'member',
  'change-password': 'member',
  'change-factors': 'member',
  'renew-recovery-codes': 'member',
  'require-factor': 'member',
  'forget-factors': 'operator',
  'log-out-person': 'operator',
  'change-email': 'member',
  'undo-email-change': 'member',
  'remove-unproven-set-up': 'job',
  'change-account-info': 'member',
  'change-tax-id': 'member',
  'open-payout-account': 'member',
  'confirm-payout-account': 'member',
  'generate-affiliate-code': 'member',
  'create-event': 'member',
  'edit-event': 'member',
  'cancel-event': 'member',
  'request-payout': 'member',
  'export-guests': 'member',
  'export-records': 'member',
  'delete-account': 'member',
  'rotate-attendant-code': 'member',
  'remove-check-in-device': 'member',
  'undo-check-in': 'attendant',
  'request-refund': 'buyer',
  'keep-ticket': 'buyer',
  'object-to-check-in': 'buyer',
  'delete-records': 'buyer',
  'appoint-admin': 'operator',
  'dismiss-admin': 'operator',
  retry: 'operator',
  'refund-order': 'operator',
  'paid-another-way': 'operator',
  'write-off': 'operator',
  'keep-check-in': 'operator',
  'undo-check-ins': 'operator',
  'keep-check-ins': 'operator',
  'export-audit-log': 'operator',
  'view-as': 'operator',
  'end-viewing': 'operator',
} as const satisfies Record<string, ActorKind>;

export type AuditAction = keyof typeof auditActions;

export function isAuditAction(code: string): code is AuditAction {
  return Object.hasOwn(auditActions, code);
}
