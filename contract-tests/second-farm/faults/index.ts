// All faults, and the style that each is served in.
import { STYLE_NAMES, type StyleName } from '../styles.ts';
import { faults as basics } from './basics.ts';
import type { Fault } from './fault.ts';
import { faults as projects } from './projects.ts';
import { faults as tenancy } from './tenancy.ts';

export type { Fault } from './fault.ts';

export const FAULTS: readonly (Fault & { readonly style: StyleName })[] = [basics, tenancy, projects]
  .flat()
  .map((fault, index) => ({ ...fault, style: fault.style ?? STYLE_NAMES[index % STYLE_NAMES.length] ?? 'a' }));
