// Users: the caller's profile and the members of the workspace (spec: Endpoints, Users).
import { listPage } from '../../lists/page.ts';
import type { Handlers } from './handler.ts';
import { showMember, showProfile } from './show.ts';

export const users = {
  getMe: (view) => showProfile(view.caller.user),

  listMembers: (view, { query }) => {
    const within = view.choices['invited-members'] === 'listed' ? {} : { state: 'joined' };
    return listPage(view, 'users', showMember, query, within);
  },
} satisfies Partial<Handlers>;
