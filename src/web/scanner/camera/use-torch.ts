import { useState } from 'react';

// From the Image Capture draft: phones have it, TypeScript's DOM types don't yet.
declare global {
  interface MediaTrackCapabilities {
    torch?: boolean;
  }
  interface MediaTrackConstraintSet {
    torch?: boolean;
  }
}

/** The flashlight, if the running camera has one. */
export function useTorch() {
  const [track, setTorchTrack] = useState<MediaStreamTrack | null>(null);
  const [isLit, setIsLit] = useState(false);

  return {
    isPresent: track !== null,
    isLit,
    /** `null` when no camera runs. */
    setTrack(next: MediaStreamTrack | null) {
      setTorchTrack(next && hasTorch(next) ? next : null);
      setIsLit(false);
    },
    async toggle() {
      await track?.applyConstraints({ advanced: [{ torch: !isLit }] });
      setIsLit(!isLit);
    },
  };
}

function hasTorch(track: MediaStreamTrack): boolean {
  return 'getCapabilities' in track && track.getCapabilities().torch === true;
}
