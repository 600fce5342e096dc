import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { ConfigError } from './settings.ts';

describe('readConfig', () => {
  it('uses defaults in an empty environment', () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      publicUrl: 'http://localhost:3000',
      databaseUrl: null,
      stripe: null,
      sandbox: { port: 3001, isOpen: false },
      rateLimitScale: 1,
      seedDemo: true,
    });
  });

  it('treats an empty variable as not set', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '' }).port).toBe(3000);
  });

  it('takes several app secrets, the first of which signs [OPS-2]', () => {
    const [first, second] = ['a'.repeat(32), 'b'.repeat(32)];
    expect(readConfig({ APP_SECRET: `${first}, ${second}` }).appSecret).toEqual([first, second]);
    expect(readConfig({ APP_SECRET: first }).appSecret).toEqual([first]);
    expect(() => readConfig({ APP_SECRET: `${first},short` })).toThrow(ConfigError);
  });

  it('opens the sandbox to other machines only when told to [OPS-4]', () => {
    const isOpen = (SANDBOX_OPEN: string) => readConfig({ SANDBOX_OPEN }).sandbox.isOpen;

    expect([isOpen('1'), isOpen('0'), isOpen('')]).toEqual([true, false, false]);
  });

  it.each([
    [{}, [20, 8, 10]],
    [{ UNPAID_TICKETS_PER_NETWORK: '60', WAITING_ROOM_PASSES_PER_NETWORK: '30' }, [60, 30, 10]],
    [{ UNPAID_TICKETS_PER_NETWORK: '60', RATE_LIMIT_SCALE: '0.5' }, [30, 4, 5]],
    [{ RATE_LIMIT_SCALE: '0.01' }, [1, 1, 1]],
    [{ RATE_LIMIT_SCALE: '0' }, [null, null, null]],
  ])('limits a network to what %j leaves it [RES-1 RES-2 ROOM-2]', (env, limits) => {
    const { unpaidTickets, waitingRoomPasses, openCheckouts } = readConfig(env).networkLimits;

    expect([unpaidTickets, waitingRoomPasses, openCheckouts]).toEqual(limits);
  });

  it('uses the next port for the sandbox', () => {
    expect(readConfig({ PORT: '4000' }).sandbox.port).toBe(4001);
  });

  it.each([
    [{ PORT: 'eighty' }, 'PORT is "eighty", but it must be a port number, for example 3000'],
    [{ PORT: '70000' }, 'PORT is "70000", but it must be a port number, for example 3000'],
    [{ SEED_DEMO: 'yes' }, 'SEED_DEMO is "yes", but it must be 0 or 1, for example 1'],
    [
      { PUBLIC_URL: 'tickets.example' },
      'PUBLIC_URL is "tickets.example", but it must be the http(s) address that people open, for example https://tickets.example',
    ],
    [{ PORT: '0' }, 'PORT is "0", which needs PUBLIC_URL to be set, for example http://localhost:3000'],
    [
      { STRIPE_SECRET_KEY: 'sk_test_1' },
      'STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET must be set together, or neither for the sandbox',
    ],
    [
      { PHOTOS_S3_BUCKET: 'photos' },
      'PHOTOS_S3_BUCKET and PHOTOS_S3_KEY must be set together, or neither to keep photos in DATA_DIR',
    ],
    [
      { PHOTOS_S3_BUCKET: 'Photos', PHOTOS_S3_KEY: 'id:secret' },
      'PHOTOS_S3_BUCKET is "Photos", but it must be the name of a bucket, in lower case, for example tickets-photos',
    ],
    [
      { GOOGLE_WALLET_FILE: 'key.json' },
      'GOOGLE_WALLET_FILE and GOOGLE_WALLET_ISSUER must be set together, or neither',
    ],
    [
      { STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_WEBHOOK_SECRET: 'whsec_1', PUBLIC_URL: 'http://a.example' },
      'PUBLIC_URL is "http://a.example", but with a live Stripe key it must be an https address, for example https://tickets.example',
    ],
    [
      {
        STRIPE_SECRET_KEY: 'sk_live_1',
        STRIPE_WEBHOOK_SECRET: 'whsec_1',
        PUBLIC_URL: 'https://a.example',
        RATE_LIMIT_SCALE: '0',
      },
      'RATE_LIMIT_SCALE is "0", but with a live Stripe key it must be above 0, for example 1',
    ],
    [
      { STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_WEBHOOK_SECRET: 'whsec_1', PUBLIC_URL: 'https://a.example' },
      'SMTP_URL is not set, but with a live Stripe key buyers need their tickets by email, for example smtp://user:password@host:587',
    ],
  ])('rejects %j with the name, the value and what is expected', (environment, message) => {
    expect(() => readConfig(environment)).toThrow(new ConfigError(message));
  });

  it('reports every invalid value at once', () => {
    expect(() => readConfig({ PORT: 'x', LOG_LEVEL: 'loud' })).toThrow(/PORT[\s\S]*\n.*LOG_LEVEL/);
  });

  it('prints only the start of an invalid secret', () => {
    expect(() => readConfig({ PHOTOS_S3_KEY: 'without-a-colon' })).toThrow(/"without-\.\.\."/);
    expect(() => readConfig({ STRIPE_SECRET_KEY: 'pk_test_very_secret' })).toThrow(/"pk_test_\.\.\."/);
  });
});

describe('Credentials', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'handstamp-credentials-'));
    writeFileSync(join(folder, 'APP_SECRET'), `${'a'.repeat(32)}\n`);
    writeFileSync(join(folder, 'STRIPE_SECRET_KEY'), '');
    writeFileSync(join(folder, 'README'), 'Not a setting.');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('are settings in files, and an empty file is one that is not set [OPS-7]', () => {
    expect(readConfig({ CREDENTIALS_DIRECTORY: folder })).toMatchObject({
      appSecret: ['a'.repeat(32)],
      stripe: null,
    });
  });

  it('may have the key of a bucket [OPS-13]', () => {
    writeFileSync(join(folder, 'PHOTOS_S3_KEY'), 'AKIA1:a/secret:with+signs\n');

    expect(readConfig({ CREDENTIALS_DIRECTORY: folder, PHOTOS_S3_BUCKET: 'photos' }).bucket).toEqual({
      bucket: 'photos',
      region: 'us-east-1',
      endpoint: null,
      hasPathStyle: false,
      keyId: 'AKIA1',
      secretKey: 'a/secret:with+signs',
    });
  });

  it('may not contradict the environment [OPS-7]', () => {
    expect(() => readConfig({ CREDENTIALS_DIRECTORY: folder, APP_SECRET: 'b'.repeat(32) })).toThrow(
      `APP_SECRET is set twice: in the environment and in ${folder}`,
    );
    expect(readConfig({ CREDENTIALS_DIRECTORY: folder, APP_SECRET: '' }).appSecret).toEqual(['a'.repeat(32)]);
  });
});
