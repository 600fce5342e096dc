import { describe, expect, it } from 'vitest';
import { zoneDoubt } from './state-timezone.ts';

const summer = new Date('2027-07-01T18:00:00Z');
const winter = new Date('2027-01-01T18:00:00Z');
const DENVER = 'America/Denver';
const CHICAGO = 'America/Chicago';

describe('the doubt about a time zone', () => {
  it('is about the state while there is no pin', () => {
    const doubt = (state: string) => zoneDoubt({ state, pinZone: null }, CHICAGO, summer);

    expect(doubt('NY')).toBe('NY is on Eastern Time, but you picked Central. Is that right?');
    expect(doubt('OR')).toBe('OR is on Pacific or Mountain Time, but you picked Central. Is that right?');
    expect(doubt('TX')).toBeNull();
    expect(doubt('')).toBeNull();
  });

  it('is about the pin once there is one, also in a state that has two zones', () => {
    const elPaso = { state: 'TX', pinZone: DENVER };

    expect(zoneDoubt(elPaso, CHICAGO, summer)).toBe(
      'The pin is on Mountain Time, but you picked Central. Is that right?',
    );
    expect(zoneDoubt(elPaso, DENVER, summer)).toBeNull();
  });

  it('takes zones of other names whose clocks show the same', () => {
    expect(zoneDoubt({ state: 'ID', pinZone: 'America/Boise' }, DENVER, winter)).toBeNull();
    expect(zoneDoubt({ state: 'IN', pinZone: 'America/Indiana/Indianapolis' }, CHICAGO, summer)).toBe(
      'The pin is on Eastern Time, but you picked Central. Is that right?',
    );
  });

  it.each([summer, winter])('is about a state that keeps its own time, wherever its pin is', (at) => {
    const arizona = { state: 'AZ', pinZone: 'America/Phoenix' };

    expect(zoneDoubt(arizona, DENVER, at)).toBe(
      'AZ keeps its own time. Enter the start and end as a clock in the Mountain zone shows them.',
    );
  });

  it('says so where no clock of the four zones shows the time at the pin', () => {
    expect(zoneDoubt({ state: 'WA', pinZone: 'Pacific/Honolulu' }, DENVER, summer)).toBe(
      'The pin keeps its own time. Enter the start and end as a clock in the Mountain zone shows them.',
    );
  });
});
