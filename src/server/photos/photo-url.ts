import type { Deps } from '#server/deps.ts';

/** Where everyone sees a photo: the one place that knows the address' shape. */
export function photoUrl({ publicUrl }: Pick<Deps, 'publicUrl'>, fileName: string): string {
  return `${publicUrl}/photos/${fileName}`;
}
