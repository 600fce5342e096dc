import { createRoot } from 'react-dom/client';
import { ReauthenticationDialog } from './ReauthenticationDialog.tsx';

let open: Promise<boolean> | null = null;

/** Opens the dialog over whatever is open. Resolves to whether the right password was entered. */
export function askForPassword(): Promise<boolean> {
  open ??= showDialog().finally(() => {
    open = null;
  });
  return open;
}

/** In a React root of its own: any call of any screen may need it, and goes on when it closes. */
function showDialog(): Promise<boolean> {
  const root = createRoot(document.createElement('div'));
  return new Promise<boolean>((resolve) => root.render(<ReauthenticationDialog onDone={resolve} />)).finally(() =>
    root.unmount(),
  );
}
