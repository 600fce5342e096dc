import { describe, expect, it } from 'vitest';
import { otherCamera } from './camera-choice.ts';

const trackOf = (settings: MediaTrackSettings) => ({ getSettings: () => settings });
const cameras = [{ deviceId: 'left' }, { deviceId: 'right' }, { deviceId: 'top' }];

describe('otherCamera', () => {
  it.each([
    ['environment', 'user'],
    ['user', 'environment'],
  ])('switches from %s to %s, whatever the device id', (facingMode, facing) => {
    expect(otherCamera(trackOf({ facingMode, deviceId: 'left' }), cameras)).toEqual({ facing });
  });

  it.each([
    ['left', 'right'],
    ['top', 'left'],
    ['gone', 'left'],
  ])('goes from %s to %s when cameras have no direction', (deviceId, next) => {
    expect(otherCamera(trackOf({ deviceId }), cameras)).toEqual({ deviceId: next });
  });

  it('requests any camera when none runs', () => {
    expect(otherCamera(undefined, [])).toEqual({ deviceId: undefined });
  });
});
