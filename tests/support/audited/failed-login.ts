/** A wrong password after a hundred others, on a server that counts them. */
import { login } from '#contract/app/accounts.ts';
import { buildApp } from '#server/main/app.ts';
import { postgresRateLimiter } from '#server/platform/adapters/rate-limiter/postgres-rate-limiter.ts';
import type { TestApp } from '#tests/support/test-app.ts';

export async function failedLogin({ deps }: TestApp, email: string): Promise<() => Promise<void>> {
  const rateLimiter = postgresRateLimiter(deps.db, 1, deps.appSecret);
  const server = await buildApp({
    deps: { ...deps, rateLimiter, rateLimitScale: 1 },
    trustedProxies: 0,
    isReady: async () => true,
    webRoot: null,
    plugins: [],
  });
  await Promise.all(Array.from({ length: 100 }, () => rateLimiter.consume('login-account', email)));
  return async () => {
    await server.inject({ method: 'POST', url: login.path, payload: { email, password: 'wrong password' } });
    await server.close();
  };
}
