import { describe, expect, it } from 'vitest';
import { otherCamera } from './camera-choice.ts';

const trackOf = (settings: MediaTrackSettings) => ({ getSettings: () => settings });
const cameras = [{ deviceId: 'left' }, { deviceId: 'right' }, { deviceId: 'top' }];

describe('the other camera', () => {
  it.each([
    ['environment', 'user'],
    ['user', 'environment'],
  ])('of one that faces %s faces %s, whichever lens that is', (facingMode, facing) => {
    expect(otherCamera(trackOf({ facingMode, deviceId: 'left' }), cameras)).toEqual({ facing });
  });

  it.each([
    ['left', 'right'],
    ['top', 'left'],
    ['gone', 'left'],
  ])('of one that faces nowhere, %s, is %s', (deviceId, next) => {
    expect(otherCamera(trackOf({ deviceId }), cameras)).toEqual({ deviceId: next });
  });

  it('is any where none runs', () => {
    expect(otherCamera(undefined, [])).toEqual({ deviceId: undefined });
  });
});
