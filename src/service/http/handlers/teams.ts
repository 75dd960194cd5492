// Teams (spec: Endpoints, Teams).
import { Problem } from '../../contract/errors.ts';
import { listPage } from '../../lists/page.ts';
import type { View } from '../../world/view.ts';
import type { Handlers } from './handler.ts';
import { removeRecords } from './remove.ts';
import { showTeam, showTeamDetail } from './show.ts';

const nameIsTaken = (view: View, name: string): boolean => {
  if (view.choices['team-name-comparison'] === 'exact') return view.findBy('teams', 'name', name).length > 0;
  const lower = name.toLowerCase();
  const every = view.list('teams', { equal: [], by: 'created_at', descending: false, nulls: 'last' }, []).rows();
  return every.some((row) => row.value.name.toLowerCase() === lower);
};

export const teams = {
  listTeams: (view, { query }) => listPage(view, 'teams', showTeam, query),

  createTeam: (view, { body }) => {
    if (nameIsTaken(view, body.name)) {
      const fields = [{ field: 'name', issue: 'is already the name of a team in this workspace' }];
      throw new Problem(409, view.choices['conflict-code'], 'A team of this workspace already has this name.', {
        fields,
        check: 'rules',
      });
    }
    return showTeam(view.create('teams', body));
  },

  getTeam: (view, { found }) => showTeamDetail(view)(found.value),

  deleteTeam: (view, { found }) => {
    removeRecords(view, 'teams', [found]);
    return undefined;
  },
} satisfies Partial<Handlers>;
