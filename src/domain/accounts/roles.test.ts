import { describe, expect, it } from 'vitest';
import { denyPassword } from './passwords.ts';
import { type Action, type Authority, denyAction, type Role, roles } from './roles.ts';

const fresh: Omit<Authority, 'role'> = { emailVerifiedAt: new Date(), isReauthenticated: true, lacksFactor: false };

/** What operators and organizers were promised, apart from the code: role by role, and what has to be proved. */
const PROMISED: [Action, string, ...('address' | 'password')[]][] = [
  ['event.view', 'owner admin editor finance check-in viewer'],
  ['event.create', 'owner admin editor'],
  ['event.edit', 'owner admin editor'],
  ['event.cancel', 'owner admin'],
  ['guest.view', 'owner admin editor finance'],
  ['guest.export', 'owner admin finance', 'password'],
  ['ticket.resend', 'owner admin editor'],
  ['check-in.manage', 'owner admin editor'],
  ['check-in.scan', 'owner admin editor check-in'],
  ['payout.request', 'owner finance', 'address', 'password'],
  ['audit.view', 'owner admin'],
  ['affiliate-code.generate', 'owner admin'],
  ['organization.identify', 'owner', 'address'],
  ['tax-id.change', 'owner', 'address', 'password'],
  ['organization.require-factor', 'owner', 'password'],
  ['organization.export', 'owner', 'password'],
  ['organization.delete', 'owner'],
  ['payout-account.manage', 'owner', 'address', 'password'],
];

describe('an action', () => {
  it.each(PROMISED)('%s is for %s [ROLE-1 AUTH-1 AUTH-8]', (action, allowed, ...proofs) => {
    const deny = (role: Role, change: Partial<Authority> = {}) => denyAction({ ...fresh, role, ...change }, action);
    const may = roles.filter((role) => deny(role) === null);

    expect(may.join(' ')).toBe(allowed);
    for (const role of roles.filter((one) => !may.includes(one))) expect(deny(role)).toBe('role-denied');
    for (const role of roles) expect(deny(role, { lacksFactor: true })).toBe('factor-required');
    for (const role of may) {
      const unproved = deny(role, { emailVerifiedAt: null });
      expect(unproved).toBe(proofs.includes('address') ? 'email-unverified' : null);
      const stale = deny(role, { isReauthenticated: false });
      expect(stale).toBe(proofs.includes('password') ? 'reauthentication-required' : null);
    }
  });
});

describe('a password', () => {
  const owner = {
    email: 'Ada@example.com',
    organizationName: 'Cooperage Nights',
    commonPasswords: new Set(['password1']),
  };

  it.each([
    ['password1', 'password-common'],
    ['PassWord1', 'password-common'],
    ['ada@EXAMPLE.com', 'password-common'],
    ['cooperage nights', 'password-common'],
    ['password12', null],
    ['three random words', null],
  ])('%s: %s [AUTH-4]', (password, denial) => {
    expect(denyPassword(password, owner)).toBe(denial);
  });

  it('may be any where the organization has no name yet', () => {
    expect(denyPassword('null', { ...owner, organizationName: null })).toBeNull();
  });
});
