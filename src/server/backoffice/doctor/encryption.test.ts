import { describe, expect, it } from 'vitest';
import { checkDatabaseAddress } from './encryption.ts';

const isPassed = (databaseUrl: string) => checkDatabaseAddress(databaseUrl).passed;

describe('the connection to the database', () => {
  it.each([
    'postgres://handstamp:secret@localhost/handstamp',
    'postgres://handstamp@127.0.0.1:5433/handstamp',
    'postgres://handstamp@[::1]/handstamp',
    'postgres:///handstamp?host=/var/run/postgresql',
    'postgres://handstamp@/handstamp?host=/var/run/postgresql',
    'postgres://handstamp:secret@%2Fvar%2Frun%2Fpostgresql/handstamp',
    'postgres:///handstamp',
    'postgresql://handstamp@db.example/handstamp?sslmode=require',
    'postgres://handstamp@db.example/handstamp?application_name=a&sslmode=verify-full',
    'postgres://handstamp@db.example/handstamp?sslmode=verify-ca',
  ])('stays on this machine or is encrypted: %s [EMAIL-8]', (databaseUrl) => {
    expect(isPassed(databaseUrl)).toBe(true);
  });

  it.each([
    'postgres://handstamp:secret@db.example/handstamp',
    'postgres://handstamp@10.0.0.7/handstamp',
    'postgres://handstamp@db.example/handstamp?sslmode=disable',
    'postgres://handstamp@db.example/handstamp?sslmode=prefer',
    'postgres://handstamp@db.example/handstamp?sslmode=no-verify',
    'postgres://handstamp@localhost.example/handstamp',
    'postgres://handstamp@localhost/handstamp?host=db.example',
    'postgres://handstamp:secret@/handstamp?host=db.example',
  ])('is reported otherwise, without its password: %s [EMAIL-8]', (databaseUrl) => {
    expect(isPassed(databaseUrl)).toBe(false);
    expect(checkDatabaseAddress(databaseUrl).message).not.toContain('secret');
  });
});
