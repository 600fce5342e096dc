import type { Attempt } from '#server/platform/ports/rate-limiter.ts';

/** Attempts from other IP addresses are serialized separately, so they don't delay the organizer's. */
export function loginAttempts(email: string, ip: string): Attempt[] {
  const account = email.toLowerCase();
  return [
    { limit: 'login-address', key: ip },
    { limit: 'login', key: `${ip} ${account}` },
    { limit: 'login-account', key: account, queueKey: `${ip} ${account}` },
  ];
}

/** Over a day. The limits of an hour don't slow down an attacker who is patient. */
export function dailyAttempts(email: string, ip: string): Attempt[] {
  const account = email.toLowerCase();
  return [
    { limit: 'login-account-day', key: account },
    { limit: 'login-account-cap', key: account },
    { limit: 'login-address-cap', key: ip },
  ];
}
