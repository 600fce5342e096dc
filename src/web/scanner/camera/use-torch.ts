import { useState } from 'react';

// In the Image Capture draft and in phones, not yet in the compiler's DOM.
declare global {
  interface MediaTrackCapabilities {
    torch?: boolean;
  }
  interface MediaTrackConstraintSet {
    torch?: boolean;
  }
}

/** The lamp beside the lens, where the running camera has one. */
export function useTorch() {
  const [track, setTrack] = useState<MediaStreamTrack | null>(null);
  const [isLit, setIsLit] = useState(false);

  return {
    isPresent: track !== null,
    isLit,
    /** Tells which camera runs now; `null` when none does. */
    follow(next: MediaStreamTrack | null) {
      setTrack(next && hasTorch(next) ? next : null);
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
