// Faults of names and members of teams.
import { around, clause, type Fault, isOn, memory, rule, without } from './fault.ts';

const teamName = clause(78, '| name | string | required on create, 1 to 100 characters, unique within the workspace |');
const unique = clause(78, 'unique within the workspace');
const conflict = clause(288, 'conflict with current state, for example a unique name already in use');
const memberIds = clause(79, 'user ids added as members at creation');
const teams: Fault[] = [
  teamName('team-name-empty', 'an empty name is accepted', (s) => rule(s, 'team', 'name', { min: 0 })),
  teamName('team-name-101', '101 characters are accepted', (s) => rule(s, 'team', 'name', { max: 101 })),
  teamName('team-name-150', 'the limit of a project name, 150, applies', (s) => rule(s, 'team', 'name', { max: 150 })),
  clause(336, '| team name | 1 to 100 characters, unique in workspace |')('team-name-99', '100 characters are refused', (s) =>
    rule(s, 'team', 'name', { max: 99 }),
  ),
  clause(336, '| team name | 1 to 100 characters, unique in workspace |')(
    'team-name-64',
    'more than 64 characters are refused',
    (s) => rule(s, 'team', 'name', { max: 64 }),
  ),
  clause(336, '| team name | 1 to 100 characters, unique in workspace |')(
    'team-name-three',
    'fewer than three characters are refused',
    (s) => rule(s, 'team', 'name', { min: 3 }),
  ),
  clause(336, '| team name | 1 to 100 characters')(
    'team-name-in-bytes',
    'the length is counted in bytes',
    (s) => around(s, 'length', (_was, text) => Buffer.byteLength(text)),
    { style: 'b' },
  ),
  teamName('team-name-truncated', 'a long name is cut to 100 characters and accepted', (s) => {
    rule(s, 'team', 'name', { max: 5000 });
    around(s, 'takeText', (was, each, value, call, act) =>
      isOn(call, 'createTeam') ? was(each, value, call, act).slice(0, 100) : was(each, value, call, act),
    );
  }),
  teamName('team-name-optional', 'a team without name is created', (s) => {
    rule(s, 'team', 'name', { required: false });
    around(s, 'isNameTaken', (was, name, call, ids) => name !== undefined && was(name, call, ids));
  }),
  teamName('team-name-slug', 'names are stored as slugs', (s) =>
    around(s, 'takeText', (was, each, value, call, act) =>
      isOn(call, 'createTeam') ? was(each, value, call, act).toLowerCase().replace(/ /g, '-') : was(each, value, call, act),
    ),
  ),
  unique('team-name-twice', 'a name can be used twice', (s) => around(s, 'isNameTaken', () => false)),
  unique(
    'team-name-twice-with-members',
    'a name can be used twice when members come with it',
    (s) => around(s, 'isNameTaken', (was, name, call, ids) => ids.length === 0 && was(name, call, ids)),
    { style: 'b' },
  ),
  unique(
    'team-name-twice-by-other-key',
    'a name that a write key took can be used again by another key',
    (s) => {
      const takers = memory<string, string>();
      around(s, 'isNameTaken', (was, name, call, ids) => {
        const taker = takers.get(name);
        const taken = was(name, call, ids) && (taker === undefined || taker === call.key?.value);
        if (!taken) takers.set(name, call.key?.value ?? '');
        return taken;
      });
    },
    { style: 'a' },
  ),
  unique('team-name-twice-beyond-ten', 'only the oldest ten teams are searched for the name', (s) =>
    around(s, 'isNameTaken', (_was, name, call) =>
      s.db.teams
        .filter(({ workspace }) => workspace === call.workspace?.id)
        .slice(0, 10)
        .some((team) => team.name === name),
    ),
  ),
  unique('team-name-never-free', 'the name of a deleted team stays taken', (s) => {
    const taken = memory<string, true>();
    around(s, 'isNameTaken', (was, name, call, ids) => {
      const known = taken.has(`${call.workspace?.id}/${name}`) || was(name, call, ids);
      taken.set(`${call.workspace?.id}/${name}`, true);
      return known;
    });
  }),
  conflict('team-name-taken-422', 'a taken name answers 422', (s) =>
    around(s, 'conflict', (_was, call) => s.invalid(422, [{ field: 'name', issue: 'is taken', kind: 'value' }], call)),
  ),
  conflict('team-name-taken-400', 'a taken name answers 400', (s) =>
    around(s, 'conflict', (_was, call) => s.invalid(400, [{ field: 'name', issue: 'is taken', kind: 'value' }], call)),
  ),
  conflict('team-name-taken-500', 'a taken name breaks a constraint of the database: 500', (s) =>
    around(s, 'conflict', (was, call) => Object.assign(was(call), { status: 500, code: 'internal_error' })),
  ),
  conflict('team-name-taken-returns-it', 'a taken name answers 201 with the team of that name', (s) => {
    around(s, 'createTeam', (was, call) => {
      const { name } = s.readFields(call, 'team', 'create');
      const found = s.db.teams.find((team) => team.name === name && team.workspace === call.workspace?.id);
      return found ? s.single(s.showTeam(found, 'created'), 'created', 201) : was(call);
    });
  }),
  conflict('team-name-taken-made-unique', 'a taken name gets a number', (s) => {
    around(s, 'isNameTaken', () => false);
    around(s, 'takeText', (was, each, value, call, act) => {
      const text = was(each, value, call, act);
      return isOn(call, 'createTeam') &&
        s.db.teams.some(({ name, workspace }) => name === text && workspace === call.workspace?.id)
        ? `${text} 2`
        : text;
    });
  }),
  memberIds('team-members-ignored', 'member_ids is ignored', (s) =>
    around(s, 'membersOfNew', (was, sent, call) => was(without(sent, 'member_ids'), call)),
  ),
  memberIds('team-members-first-only', 'only the first of member_ids is added', (s) =>
    around(s, 'membersOfNew', (was, sent, call) =>
      was({ ...sent, member_ids: (sent.member_ids as string[] | undefined)?.slice(0, 1) }, call),
    ),
  ),
  memberIds('team-members-without-last', 'the last of several member_ids is lost', (s) =>
    around(s, 'membersOfNew', (was, sent, call) => {
      const ids = (sent.member_ids as string[] | undefined) ?? [];
      return was({ ...sent, member_ids: ids.length > 1 ? ids.slice(0, -1) : ids }, call);
    }),
  ),
  memberIds('team-members-admins-refused', 'users of role admin are left out of teams', (s) =>
    around(s, 'membersOfNew', (was, sent, call) =>
      was(sent, call).filter((id) => s.roleOf(id, call.workspace?.id ?? '') !== 'admin'),
    ),
  ),
  memberIds('team-members-required', 'a team without member_ids is refused', (s) =>
    rule(s, 'team', 'member_ids', { required: true }),
  ),
  memberIds('team-members-empty-refused', 'an empty member_ids is refused', (s) =>
    around(s, 'checkMembers', (was, each, ids, call) =>
      ids.length === 0 ? { field: 'member_ids', issue: 'must not be empty', kind: 'value' as const } : was(each, ids, call),
    ),
  ),
  memberIds('team-members-unknown-counted', 'unknown users are counted as members', (s) => {
    around(s, 'checkMembers', () => undefined);
    around(s, 'take', (was, each, value, call, act) => (each.kind === 'members' ? value : was(each, value, call, act)));
  }),
  clause(79, '| member_ids | array of string | create only, optional;')(
    'team-member-ids-text',
    'a single text is taken as member_ids',
    (s) => {
      around(s, 'checkValue', (was, each, value, call, act) =>
        was(each, each.kind === 'members' && typeof value === 'string' ? [value] : value, call, act),
      );
      around(s, 'take', (was, each, value, call, act) =>
        was(each, each.kind === 'members' && typeof value === 'string' ? [value] : value, call, act),
      );
    },
  ),
  clause(79, '| member_ids | array of string | create only, optional;')(
    'team-member-ids-object',
    'an object is taken as member_ids',
    (s) => {
      const list = (kind: string, value: unknown) =>
        kind === 'members' && typeof value === 'object' && value !== null ? Object.values(value) : value;
      around(s, 'checkValue', (was, each, value, call, act) => was(each, list(each.kind, value), call, act));
      around(s, 'take', (was, each, value, call, act) => was(each, list(each.kind, value), call, act));
    },
  ),
  clause(79, '| member_ids | array of string | create only, optional;')(
    'team-member-ids-numbers',
    'numbers in member_ids are skipped',
    (s) => {
      const texts = (kind: string, value: unknown) =>
        kind === 'members' && Array.isArray(value) ? value.filter((each) => typeof each === 'string') : value;
      around(s, 'checkValue', (was, each, value, call, act) => was(each, texts(each.kind, value), call, act));
      around(s, 'take', (was, each, value, call, act) => was(each, texts(each.kind, value), call, act));
    },
  ),
];

export const faults: readonly Fault[] = [...teams];
