/** Toast markup, shared by the library and the fallback. */
import { Icon } from '#web/ui/icons/Icon.tsx';

/** How long a toast stays. */
export const TOAST_MS = 5000;

export function ToastIcon({ kind }: { kind: string }) {
  return <Icon name={kind === 'success' ? 'check' : 'octagon'} />;
}

export function DismissButton({ onClick }: { onClick: () => void }) {
  return (
    <button type="button" className="Toastify__close-button" aria-label="Dismiss message" onClick={onClick}>
      <Icon name="close" size={18} />
    </button>
  );
}
