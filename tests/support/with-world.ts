import { afterAll, afterEach, beforeAll } from 'vitest';
import { clearFaults } from './money.ts';
import { openWorld, type World, type WorldOptions } from './world.ts';

/** One world for the tests of a file, or of a part of it; no fault outlives the test that planned it. */
export function withWorld(take: (world: World) => void, options: WorldOptions = {}): void {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(options);
    take(world);
  });
  afterEach(() => clearFaults(world));
  afterAll(() => world.close());
}
