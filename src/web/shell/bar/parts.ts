/** The code of the parts of the frame that only organizers see. Named here, because a list of all files would weigh on public pages. */
import type { ComponentType } from 'react';
import { loadCode } from '#web/load-code.ts';

export interface Part {
  className?: string | undefined;
}

export type PartName = 'bar' | 'viewing' | 'choice';

type Load = () => Promise<{ Component: ComponentType<Part> }>;

export const parts: Record<PartName, Load> = {
  bar: () => loadCode(() => import('./TopBar.tsx')),
  viewing: () => loadCode(() => import('#web/shell/ViewingBanner.tsx')),
  choice: () => loadCode(() => import('#web/shell/organization/OrganizationChoice.tsx')),
};
